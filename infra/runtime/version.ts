// The version of this product, from package.json in the root folder; the build copies that file to dist/.
import { readFileSync } from 'node:fs'

export const readVersion = (): string => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
