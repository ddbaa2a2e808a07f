// The assets of the web UI: style sheet, icon and scripts. Every page also works without the scripts.
import { type Asset, ICON, readAsset, STYLE } from '../../infra/html/asset.ts'
import { WEBMCP_SCRIPT } from './webmcp.ts'

const page = readAsset(new URL('./assets/page.js', import.meta.url))
const live = readAsset(new URL('./assets/live.js', import.meta.url))
const status = readAsset(new URL('./assets/status.js', import.meta.url))
const table = readAsset(new URL('./assets/table.js', import.meta.url))
const proof = readAsset(new URL('./assets/proof.js', import.meta.url))

/** Loaded when a proof is verified. `infra/bundle-verifier.mjs` bundles it from `infra/proof`. */
export const VERIFIER = readAsset(new URL('./assets/verifier.js', import.meta.url))

/** Loaded by every page. */
export const SCRIPTS: readonly string[] = [page.path, WEBMCP_SCRIPT.path]
/** For pages with live updates. */
export const LIVE_SCRIPT = live.path
/** For the status page. */
export const STATUS_SCRIPT = status.path
/** For pages with sortable tables. */
export const TABLE_SCRIPT = table.path
/** For proposals with a provable result. */
export const PROOF_SCRIPT = proof.path

const OWN = [page, WEBMCP_SCRIPT, live, status, table, proof, VERIFIER]
export const ASSETS: readonly Asset[] = [STYLE, ICON, ...OWN]
