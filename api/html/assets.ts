// The files of the pages for people: the style sheet, the icon, and the scripts that every page may do without.
import { type Asset, ICON, readAsset, STYLE } from '../../infra/html/asset.ts'
import { WEBMCP_SCRIPT } from './webmcp.ts'

const PAGE_SCRIPT = readAsset(new URL('./assets/page.js', import.meta.url))

export const STATUS_SCRIPT = readAsset(new URL('./assets/status.js', import.meta.url))
/** Of every page. */
export const SCRIPTS: readonly string[] = [PAGE_SCRIPT.path, WEBMCP_SCRIPT.path]
export const ASSETS: readonly Asset[] = [STYLE, ICON, PAGE_SCRIPT, WEBMCP_SCRIPT, STATUS_SCRIPT]
