// The files that the claim page loads, each with its media type. The icon and the base style are from infra/base/html.
import { readFileSync } from 'node:fs'
import { ICON, STYLE } from '../../infra/base/html/asset.ts'
import { locateFile } from '../../infra/base/runtime/product-files.ts'
import { claimWordsModule } from './claim-words.ts'

export type PageFile = { name: string; type: string; text: string }

const SCRIPT = 'text/javascript; charset=utf-8'
const read = (name: string): string => readFileSync(locateFile(`auth/html/assets/${name}`), 'utf8')

const script = (name: string): PageFile => ({ name, type: SCRIPT, text: read(name) })

export const DELEGATION_FILES: readonly PageFile[] = [
  ...['page.js', 'manual.js', 'service.js', 'view.js', 'wallets.js'].map(script),
  { name: 'words.js', type: SCRIPT, text: claimWordsModule() },
  { name: 'icon.svg', type: ICON.mediaType, text: ICON.bytes.toString('utf8') },
  // A separate `auth` process must serve the base style sheet itself.
  {
    name: 'style.css',
    type: STYLE.mediaType,
    text: `${STYLE.bytes.toString('utf8')}\n${read('page.css')}`,
  },
]
