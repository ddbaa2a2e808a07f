// Tests that wrong settings of all services are reported in one message.
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { readTogether } from '../../../../infra/app/read-together.ts'
import { readConfig } from '../../../../infra/base/runtime/config.ts'

const port = Type.Integer({ env: 'PORT', default: 8080, minimum: 0, maximum: 65535 })
const level = Type.Enum(['info', 'warn'], { env: 'LOG_LEVEL', default: 'warn' })

describe('settings of all services', () => {
  it('are read by each service from the same environment', () => {
    const read = readTogether({
      api: () => readConfig(Type.Object({ port }), { PORT: '1' }),
      all: () => readConfig(Type.Object({ level }), {}),
    })
    expect(read).toEqual({ api: { port: 1 }, all: { level: 'warn' } })
  })

  it('are refused with one message that names every wrong setting once', () => {
    const env = { PORT: 'eighty', LOG_LEVEL: 'loud' }
    const read = () =>
      readTogether({
        api: () => readConfig(Type.Object({ port, level }), env),
        all: () => readConfig(Type.Object({ level }), env),
      })
    expect(read).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
    expect(read).toThrow(/PORT: "eighty" is not right; expected a whole number from 0 to 65535/)
    const message = String(
      (() => {
        try {
          return read()
        } catch (error) {
          return error
        }
      })(),
    )
    expect(message.match(/LOG_LEVEL/g)).toHaveLength(1)
  })

  it('does not report a bug as a wrong setting', () => {
    const bug = () => {
      throw new TypeError('x is not a function')
    }
    expect(() => readTogether({ bug })).toThrow(TypeError)
  })
})
