// The assets of the web UI: style sheet, icon and scripts. Every page also works without the scripts.
import { type Asset, ICON, readAsset, STYLE } from '../../infra/base/html/asset.ts'

const page = readAsset('api/view/assets/page.js')
const live = readAsset('api/view/assets/live.js')
const table = readAsset('api/view/assets/table.js')
const proof = readAsset('api/view/assets/proof.js')

/** Loaded when a proof is verified. `infra/generated-assets.mjs` bundles it from `infra/base/proof`. */
export const VERIFIER = readAsset('api/view/assets/verifier.js')

/** Loaded by every page. */
export const SCRIPTS: readonly string[] = [page.path]
/** For pages with live updates, and for the status page. */
export const LIVE_SCRIPT = live.path
/** For pages with sortable tables. */
export const TABLE_SCRIPT = table.path
/** For proposals with a provable result. */
export const PROOF_SCRIPT = proof.path

const OWN = [page, live, table, proof, VERIFIER]
export const ASSETS: readonly Asset[] = [STYLE, ICON, ...OWN]
