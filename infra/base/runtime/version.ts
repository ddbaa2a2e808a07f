// The version of this product, from package.json in the root folder; the build copies that file to dist/.
import { readFileSync } from 'node:fs'
import { locateFile } from './product-files.ts'

export const readVersion = (): string => {
  const text = readFileSync(locateFile('package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
