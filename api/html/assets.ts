// The files of the pages for people: the style sheet, the icon, and scripts that every page may do without.
import { type Asset, ICON, readAsset, STYLE } from '../../infra/html/asset.ts'
import { WEBMCP_SCRIPT } from './webmcp.ts'

const page = readAsset(new URL('./assets/page.js', import.meta.url))
const live = readAsset(new URL('./assets/live.js', import.meta.url))
const status = readAsset(new URL('./assets/status.js', import.meta.url))
const table = readAsset(new URL('./assets/table.js', import.meta.url))
const proof = readAsset(new URL('./assets/proof.js', import.meta.url))

/** Loaded when a proof is verified. `infra/bundle-verifier.mjs` makes it out of `infra/proof`. */
export const VERIFIER = readAsset(new URL('./assets/verifier.js', import.meta.url))

/** Of every page. */
export const SCRIPTS: readonly string[] = [page.path, WEBMCP_SCRIPT.path]
/** For pages that change while they are read. */
export const LIVE_SCRIPT = live.path
/** For the one page that changes with every block. */
export const STATUS_SCRIPT = status.path
/** For pages with a table that can be sorted and filtered. */
export const TABLE_SCRIPT = table.path
/** For the pages of proposals whose result can be proved. */
export const PROOF_SCRIPT = proof.path

const OWN = [page, WEBMCP_SCRIPT, live, status, table, proof, VERIFIER]
export const ASSETS: readonly Asset[] = [STYLE, ICON, ...OWN]
