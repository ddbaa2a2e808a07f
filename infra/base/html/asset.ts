// Static assets of the pages. Their names contain a hash of the content, so they can be cached permanently.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { locateFile } from '../runtime/product-files.ts'

export type Asset = {
  /** Relative to the root of the service. */
  path: string
  mediaType: string
  bytes: Buffer
}

export const ASSET_CACHING = 'public, max-age=31536000, immutable'

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
}
const HASH_LENGTH = 12

/** The extension of `file` selects the media type. */
export const createAsset = (file: string, bytes: Buffer): Asset => {
  const extension = extname(file)
  const mediaType = MEDIA_TYPES[extension]
  if (mediaType === undefined) throw new Error(`no media type is known for ${file}`)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_LENGTH)
  return { path: `/assets/${basename(file, extension)}-${hash}${extension}`, mediaType, bytes }
}

/** `path` begins at the root folder. The file must be in a folder named `assets`: the build copies these folders. */
export const readAsset = (path: string): Asset => createAsset(path, readFileSync(locateFile(path)))

export const STYLE = readAsset('infra/base/html/assets/style.css')
export const ICON = readAsset('infra/base/html/assets/icon.svg')
