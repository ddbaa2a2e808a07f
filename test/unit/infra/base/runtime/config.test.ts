// Settings: parsing, and one error with all mistakes.
import { describe, expect, it } from 'vitest'
import {
  custom,
  flag,
  integer,
  oneOf,
  readConfig,
  text,
  urlList,
} from '../../../../../infra/base/runtime/config.ts'
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

describe('readConfig', () => {
  it('reads values of every kind', () => {
    const config = readConfig(
      {
        port: integer('PORT', { min: 0, max: 65535 }),
        level: oneOf('LOG_LEVEL', ['info', 'debug']),
        urls: urlList('CHAIN_RPC_URLS', { schemes: ['http', 'https'] }),
        pretty: flag('PRETTY'),
        directory: text('DATA_DIR'),
        amount: custom('AMOUNT', (raw) => ({ ok: true, value: BigInt(raw) })),
      },
      {
        PORT: '8080',
        LOG_LEVEL: 'debug',
        CHAIN_RPC_URLS: ' https://a.example/rpc, http://[::1]:26657 ',
        PRETTY: 'yes',
        DATA_DIR: '.rollcall',
        AMOUNT: '12345678901234567890',
      },
    )
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
    const settings = {
      port: integer('PORT', { default: 0 }),
      name: text('NAME', { default: 'x' }),
      pretty: flag('PRETTY', { default: false }),
      urls: urlList('URLS', { schemes: ['http'], optional: true }),
    }
    expect(readConfig(settings, { PORT: '', NAME: '  ' })).toEqual({
      port: 0,
      name: 'x',
      pretty: false,
      urls: undefined,
    })
  })

  it('refuses an empty value of a secret, and of a setting whose default names another target', () => {
    const settings = {
      urls: urlList('CHAIN_RPC_URLS', { schemes: ['http'], refusesEmpty: true }),
      chain: text('CHAIN_ID', { optional: true, refusesEmpty: true, description: 'the chain' }),
      directory: text('DATA_DIR', { default: '.rollcall', refusesEmpty: true }),
      password: text('PASSWORD', { optional: true, secret: true }),
    }
    const given = { CHAIN_RPC_URLS: '', CHAIN_ID: '  ', DATA_DIR: '', PASSWORD: '' }
    expect(
      refusal(() => readConfig(settings, given))
        .message.split('\n')
        .slice(1),
    ).toEqual([
      '  - CHAIN_RPC_URLS is empty, and there is no default',
      '  - CHAIN_ID is empty; set it, or remove it for the default: the chain',
      '  - DATA_DIR is empty; set it, or remove it for the default',
      '  - PASSWORD is empty; set it, or remove it for the default',
    ])
    expect(readConfig({ password: settings.password }, {})).toEqual({ password: undefined })
  })

  it('names every wrong variable in one message, with valid values', () => {
    const { message } = refusal(() =>
      readConfig(
        {
          port: integer('PORT', { min: 0, max: 65535 }),
          level: oneOf('LOG_LEVEL', ['info', 'debug'], { default: 'info' }),
          urls: urlList('CHAIN_RPC_URLS', { schemes: ['http', 'https'], optional: true }),
          pretty: flag('PRETTY', { default: false }),
          start: custom('START_HEIGHT', () => ({ ok: false, expected: 'earliest or tip' }), {
            default: 1,
          }),
          directory: text('DATA_DIR', { description: 'where the data lives' }),
          fine: integer('FINE'),
        },
        {
          PORT: '70000',
          LOG_LEVEL: 'loud',
          CHAIN_RPC_URLS: 'https://ok.example,ftp://no.example',
          PRETTY: 'maybe',
          START_HEIGHT: 'soon',
          FINE: '1',
        },
      ),
    )
    expect(message.split('\n')).toEqual([
      'the configuration is not valid:',
      '  - PORT: "70000" is not right; expected a whole number from 0 to 65535',
      '  - LOG_LEVEL: "loud" is not right; expected one of info, debug',
      '  - CHAIN_RPC_URLS: "https://ok.example,ftp://no.example" is not right; expected one or more URLs (http://…, https://…), separated by commas',
      '  - PRETTY: "maybe" is not right; expected true or false',
      '  - START_HEIGHT: "soon" is not right; expected earliest or tip',
      '  - DATA_DIR is not set, and there is no default: where the data lives',
    ])
  })

  it.each(['1.5', '0x10', '1e3', 'NaN', '9007199254740993', '-1', '11'])(
    'refuses %s as a whole number from 0 to 10',
    (raw) => {
      const { message } = refusal(() =>
        readConfig({ count: integer('COUNT', { min: 0, max: 10 }) }, { COUNT: raw }),
      )
      expect(message).toContain('a whole number from 0 to 10')
    },
  )

  it('never shows the value of a wrong secret', () => {
    const secret = custom('SECRET', () => ({ ok: false, expected: '32 characters' }), {
      secret: true,
    })
    const { message } = refusal(() => readConfig({ secret }, { SECRET: 'hunter2' }))
    expect(message).not.toContain('hunter2')
    expect(message).toContain('SECRET: the given value is not right; expected 32 characters')
  })
})
