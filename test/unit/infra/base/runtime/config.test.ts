// Settings: parsing, and one error with all mistakes.
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { isHttpUrl, listSettings, readConfig } from '../../../../../infra/base/runtime/config.ts'
import { type AppError, hasCode } from '../../../../../infra/base/runtime/errors.ts'

const refusal = (read: () => unknown): AppError => {
  try {
    read()
  } catch (error) {
    if (hasCode(error, 'CONFIG_INVALID')) return error
    throw error
  }
  throw new Error('the configuration was accepted')
}

const url = Type.Refine(Type.String(), isHttpUrl)

describe('readConfig', () => {
  it('reads values of every kind', () => {
    const group = Type.Object({
      port: Type.Integer({ env: 'PORT', minimum: 0, maximum: 65535 }),
      level: Type.Enum(['info', 'debug'], { env: 'LOG_LEVEL' }),
      urls: Type.Array(url, { env: 'CHAIN_RPC_URLS' }),
      pretty: Type.Boolean({ env: 'PRETTY' }),
      directory: Type.String({ env: 'DATA_DIR' }),
      amount: Type.Decode(Type.String({ env: 'AMOUNT' }), (raw) => BigInt(raw)),
    })
    const config = readConfig(group, {
      PORT: '8080',
      LOG_LEVEL: 'debug',
      CHAIN_RPC_URLS: ' https://a.example/rpc, http://[::1]:26657 ',
      PRETTY: 'yes',
      DATA_DIR: '.rollcall',
      AMOUNT: '12345678901234567890',
    })
    expect(config).toEqual({
      port: 8080,
      level: 'debug',
      urls: ['https://a.example/rpc', 'http://[::1]:26657'],
      pretty: true,
      directory: '.rollcall',
      amount: 12345678901234567890n,
    })
  })

  it('uses the default if a variable is absent, empty or blank', () => {
    const group = Type.Object({
      port: Type.Integer({ env: 'PORT', default: 0 }),
      name: Type.String({ env: 'NAME', default: 'x' }),
      pretty: Type.Boolean({ env: 'PRETTY', default: false }),
      urls: Type.Optional(Type.Array(url, { env: 'URLS' })),
    })
    expect(readConfig(group, { PORT: '', NAME: '  ' })).toEqual({
      port: 0,
      name: 'x',
      pretty: false,
      urls: undefined,
    })
  })

  it('refuses an empty value of a secret, and of a setting whose default names another target', () => {
    const password = Type.Optional(Type.String({ env: 'PASSWORD', secret: true }))
    const group = Type.Object({
      urls: Type.Array(url, { env: 'CHAIN_RPC_URLS', refusesEmpty: true }),
      chain: Type.Optional(
        Type.String({ env: 'CHAIN_ID', refusesEmpty: true, description: 'the chain' }),
      ),
      directory: Type.String({ env: 'DATA_DIR', default: '.rollcall', refusesEmpty: true }),
      password,
    })
    const given = { CHAIN_RPC_URLS: '', CHAIN_ID: '  ', DATA_DIR: '', PASSWORD: '' }
    expect(
      refusal(() => readConfig(group, given))
        .message.split('\n')
        .slice(1),
    ).toEqual([
      '  - CHAIN_RPC_URLS is empty, and there is no default',
      '  - CHAIN_ID is empty; set it, or remove it for the default: the chain',
      '  - DATA_DIR is empty; set it, or remove it for the default',
      '  - PASSWORD is empty; set it, or remove it for the default',
    ])
    expect(readConfig(Type.Object({ password }), {})).toEqual({ password: undefined })
  })

  it('names every wrong variable in one message, with valid values', () => {
    const start = Type.String({ env: 'START_HEIGHT', default: 1, expected: 'earliest or tip' })
    const group = Type.Object({
      port: Type.Integer({ env: 'PORT', minimum: 0, maximum: 65535 }),
      level: Type.Enum(['info', 'debug'], { env: 'LOG_LEVEL', default: 'info' }),
      urls: Type.Optional(Type.Array(url, { env: 'URLS', expected: 'URLs of https' })),
      pretty: Type.Boolean({ env: 'PRETTY', default: false }),
      start: Type.Decode(start, (): number | undefined => undefined),
      directory: Type.String({ env: 'DATA_DIR', description: 'where the data lives' }),
      fine: Type.Integer({ env: 'FINE' }),
    })
    const { message } = refusal(() =>
      readConfig(group, {
        PORT: '70000',
        LOG_LEVEL: 'loud',
        URLS: 'https://ok.example,ftp://no.example',
        PRETTY: 'maybe',
        START_HEIGHT: 'soon',
        FINE: '1',
      }),
    )
    expect(message.split('\n')).toEqual([
      'the configuration is not valid:',
      '  - PORT: "70000" is not right; expected a whole number from 0 to 65535',
      '  - LOG_LEVEL: "loud" is not right; expected one of info, debug',
      '  - URLS: "https://ok.example,ftp://no.example" is not right; expected URLs of https',
      '  - PRETTY: "maybe" is not right; expected true or false',
      '  - START_HEIGHT: "soon" is not right; expected earliest or tip',
      '  - DATA_DIR is not set, and there is no default: where the data lives',
    ])
  })

  it.each(['1.5', '0x10', '1e3', 'NaN', '9007199254740993', '-1', '11'])(
    'refuses %s as a whole number from 0 to 10',
    (raw) => {
      const count = Type.Integer({ env: 'COUNT', minimum: 0, maximum: 10 })
      const { message } = refusal(() => readConfig(Type.Object({ count }), { COUNT: raw }))
      expect(message).toContain('a whole number from 0 to 10')
    },
  )

  it('refuses a whole number that is not exact', () => {
    const group = Type.Object({ count: Type.Integer({ env: 'COUNT' }) })
    expect(() => readConfig(group, { COUNT: '9007199254740993' })).toThrow('a whole number')
  })

  it('never shows the value of a wrong secret', () => {
    const secret = Type.String({
      env: 'SECRET',
      secret: true,
      minLength: 32,
      expected: '32 characters',
    })
    const { message } = refusal(() => readConfig(Type.Object({ secret }), { SECRET: 'hunter2' }))
    expect(message).not.toContain('hunter2')
    expect(message).toContain('SECRET: the given value is not right; expected 32 characters')
  })
})

describe('listSettings', () => {
  it('has what documents and help say of each setting', () => {
    const group = Type.Object({
      port: Type.Integer({ env: 'PORT', default: 8080, description: 'the port' }),
      password: Type.Optional(Type.String({ env: 'PASSWORD', secret: true })),
    })
    expect(listSettings(group)).toMatchObject([
      { env: 'PORT', default: 8080, isOptional: false, refusesEmpty: false },
      { env: 'PASSWORD', secret: true, isOptional: true, refusesEmpty: true },
    ])
  })
})
