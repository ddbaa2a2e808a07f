// The files of the pages for people: the style sheet, the icon, and the script that every page may do without.
import { type Asset, ICON, readAsset, STYLE } from '../../infra/html/asset.ts'

const PAGE_SCRIPT = readAsset(new URL('./assets/page.js', import.meta.url))

export const SCRIPTS: readonly string[] = [PAGE_SCRIPT.path]
export const ASSETS: readonly Asset[] = [STYLE, ICON, PAGE_SCRIPT]
