// Variables whose names are almost a setting, and ordinary variables.
import { describe, expect, it } from 'vitest'
import { findUnusedVariables } from '../../../../infra/app/settings.ts'
import { settingNames } from '../../../support/source/setting-names.ts'

const toEnvironment = (names: Iterable<string>) =>
  Object.fromEntries([...names].map((name) => [name, 'x']))

describe('findUnusedVariables', () => {
  it.each([
    ['CHAIN_RPC_URL', 'CHAIN_RPC_URLS'],
    ['CHAIN_RPCURLS', 'CHAIN_RPC_URLS'],
    ['chain_rpc_urls', 'CHAIN_RPC_URLS'],
    ['CHAINS_RPC_URL', 'CHAIN_RPC_URLS'],
    ['START_HIEGHT', 'START_HEIGHT'],
    ['STARTHEIGHT', 'START_HEIGHT'],
    ['LOG_LEVLE', 'LOG_LEVEL'],
    ['DATADIR', 'DATA_DIR'],
    ['CHAINID', 'CHAIN_ID'],
    ['CLICKHOUSE_PASWORD', 'CLICKHOUSE_PASSWORD'],
    ['PROT', 'PORT'],
    ['PORTS', 'PORT'],
  ])('finds that %s is almost %s', (variable, setting) => {
    expect(findUnusedVariables({ [variable]: 'secret' })).toEqual([{ variable, setting }])
  })

  it('says nothing about the settings themselves', () => {
    expect(findUnusedVariables(toEnvironment(settingNames()))).toEqual([])
  })

  it('says nothing about ordinary variables of shells, systems and package managers', () => {
    const ordinary = `
      HOME PATH HOSTNAME HOSTTYPE USER USERNAME LOGNAME SHELL TERM PWD OLDPWD LANG LC_ALL TZ
      TMPDIR TEMP MAIL EDITOR PAGER SHLVL COLUMNS LINES DISPLAY COLORTERM NO_COLOR CI DEBUG _
      NODE_ENV NODE_OPTIONS NODE_PATH INIT_CWD npm_config_cache npm_command XDG_DATA_DIRS
      XDG_DATA_HOME XDG_CONFIG_HOME XDG_RUNTIME_DIR SSH_AUTH_SOCK http_proxy https_proxy
      NO_PROXY JAVA_HOME GOPATH DOCKER_HOST DB_HOST DATABASE_URL REDIS_URL API_PORT
      API_SERVICE_HOST API_SERVICE_PORT CLICKHOUSE_PORT CLICKHOUSE_USER CLICKHOUSE_DB KAFKA_PORT
      KAFKA_HEAP_OPTS KUBERNETES_PORT KUBERNETES_SERVICE_HOST INVOCATION_ID NOTIFY_SOCKET
      GATEWAY_PORT GATEWAY_HOST READER_PASSWORD GRAFANA_PORT TLS_DIRECTORY`
    expect(findUnusedVariables(toEnvironment(ordinary.trim().split(/\s+/)))).toEqual([])
  })
})
