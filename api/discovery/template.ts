// Reads the Markdown templates in `assets/` and fills in their values.
import { readFileSync } from 'node:fs'
import { locateFile } from '../../infra/base/runtime/product-files.ts'

/** `{{name}}` in the template becomes the value of this name. */
type Template = (values: Readonly<Record<string, string>>) => string

export const readTemplate = (file: string): Template => {
  const template = readFileSync(locateFile(`api/discovery/assets/${file}`), 'utf8')
  return (values) =>
    template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = values[name]
      if (value === undefined) throw new Error(`${file} has no value for ${name}`)
      return value
    })
}
