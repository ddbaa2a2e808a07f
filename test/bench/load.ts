// Puts load on an HTTP server with `wrk`, or with autocannon if `wrk` is missing. Every response must be a success.
import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import autocannon from 'autocannon'

export type Load = {
  url: string
  /** Requested in turn. */
  paths: readonly string[]
  /** Of every request. */
  headers?: Readonly<Record<string, string>>
  connections: number
  seconds: number
  /** For the generator's own files. */
  directory: string
}

type Loaded = { requests: number; seconds: number; errors: number }

const hasWrk = spawnSync('wrk', ['--version']).error === undefined

export const LOAD_GENERATOR = hasWrk ? 'wrk' : 'autocannon'

const toTable = (headers: Load['headers'] = {}): string =>
  Object.entries(headers)
    .map(([name, value]) => `[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
    .join(', ')

const SCRIPT = ({ paths, headers }: Load): string => `
local paths = { ${paths.map((path) => JSON.stringify(path)).join(', ')} }
local requests, turn = {}, 0
init = function(args)
  for name, value in pairs({ ${toTable(headers)} }) do wrk.headers[name] = value end
  for index, path in ipairs(paths) do requests[index] = wrk.format('GET', path) end
end
request = function()
  turn = turn % #requests + 1
  return requests[turn]
end
done = function(summary)
  local errors = summary.errors
  io.write(string.format('{"requests":%d,"seconds":%f,"errors":%d}\\n', summary.requests,
    summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.timeout + errors.status))
end
`

const runWrk = async (load: Load): Promise<Loaded> => {
  const { url, connections, seconds, directory } = load
  const script = join(directory, 'load.lua')
  writeFileSync(script, SCRIPT(load))
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url]
  const started = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const part of started.stdout) output += String(part)
  const line = output.split('\n').find((text) => text.startsWith('{'))
  if (line === undefined) throw new Error(`wrk printed no result: ${output}`)
  return JSON.parse(line) as Loaded
}

const runAutocannon = async (load: Load): Promise<Loaded> => {
  const result = await autocannon({
    url: load.url,
    connections: load.connections,
    duration: load.seconds,
    ...(load.headers && { headers: load.headers }),
    requests: load.paths.map((path) => ({ method: 'GET', path })),
  })
  const errors = result.errors + result.timeouts + result.non2xx
  return { requests: result['2xx'], seconds: result.duration, errors }
}

/** Responses per second. Throws if a response is an error, because the figure would be wrong. */
export const loadServer = async (load: Load): Promise<number> => {
  const { requests, seconds, errors } = await (hasWrk ? runWrk(load) : runAutocannon(load))
  if (errors > 0) throw new Error(`${errors} of ${requests} responses of ${load.url} were errors`)
  return requests / seconds
}
