// The files that the claim page loads, each with its media type. The icon and the base style are from infra/base/html.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ICON, STYLE } from '../../infra/base/html/asset.ts'
import { locateFile } from '../../infra/base/runtime/product-files.ts'
import { claimWordsModule } from './claim-words.ts'

export type PageFile = { name: string; type: string; text: string; etag: string }

const SCRIPT = 'text/javascript; charset=utf-8'
const read = (name: string): string => readFileSync(locateFile(`auth/html/assets/${name}`), 'utf8')

const file = (name: string, type: string, text: string): PageFile => {
  const digest = createHash('sha256').update(text).digest('base64url')
  return { name, type, text, etag: `"${digest.slice(0, 22)}"` }
}

const script = (name: string): PageFile => file(name, SCRIPT, read(name))

export const DELEGATION_FILES: readonly PageFile[] = [
  ...['page.js', 'manual.js', 'service.js', 'view.js', 'wallets.js'].map(script),
  file('words.js', SCRIPT, claimWordsModule()),
  file('icon.svg', ICON.mediaType, ICON.bytes.toString('utf8')),
  // A separate `auth` process must serve the base style sheet itself.
  file('style.css', STYLE.mediaType, `${STYLE.bytes.toString('utf8')}\n${read('page.css')}`),
]
