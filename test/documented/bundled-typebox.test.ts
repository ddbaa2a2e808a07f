// Tests of the build: the product loads the bundled `typebox`, which is the same as the original.
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'

const BUILT = new URL('../../dist/infra/app/cli.js', import.meta.url)
const FOLDER = fileURLToPath(new URL('../../dist/node_modules/typebox/', import.meta.url))

const fromBuilt = createRequire(BUILT)
const load = (name: string) => import(pathToFileURL(fromBuilt.resolve(name)).href)

const NAMES = ['typebox', 'typebox/compile', 'typebox/value']

describe('the typebox of the build', () => {
  it.each(NAMES)('has every export of %s, and is found by the product', async (name) => {
    expect(fromBuilt.resolve(name).startsWith(FOLDER)).toBe(true)
    const [bundled, original] = [await load(name), await import(name)]
    expect(Object.keys(bundled).sort()).toEqual(Object.keys(original).sort())
  })

  it('is one package: a schema of one entry point is checked by the others', async () => {
    const [{ Type }, { Compile }, { Value }] = await Promise.all(NAMES.map(load))
    const height = Type.Object({ height: Type.Integer({ minimum: 1 }) })
    const compiled = Compile(height)
    const results = [{ height: 5 }, { height: 0 }, {}].map((value) => [
      Value.Check(height, value),
      compiled.Check(value),
    ])
    expect(results).toEqual([
      [true, true],
      [false, false],
      [false, false],
    ])
  })
})
