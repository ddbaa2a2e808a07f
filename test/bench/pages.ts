// Compares the time to first byte of HTML pages with the JSON of the same page, over the demo chain.
// It also measures the bytes of a first visit with styles and scripts. Both sides come from the cache, like most visits.
import { Agent, request } from 'node:http'
import { startDemo } from '../support/browser/demo-browser.ts'
import { computeSpread, type Finding, measurePairs } from './measure.ts'
import type { Measurement } from './measurement.ts'

const VISITS = 200

type Visit = { firstByteMs: number; bytes: number; body: string; encoding: string }

const visit = (agent: Agent, url: string, headers: Record<string, string>): Promise<Visit> =>
  new Promise((resolve, reject) => {
    const startedMs = performance.now()
    const outgoing = request(url, { agent, headers }, (response) => {
      const parts: Buffer[] = []
      let firstByteMs = 0
      response.on('data', (part: Buffer) => {
        if (parts.length === 0) firstByteMs = performance.now() - startedMs
        parts.push(part)
      })
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode, headers: given } = response
        const body = Buffer.concat(parts)
        if (statusCode !== 200) return reject(new Error(`${url} answered ${statusCode}: ${body}`))
        const encoding = given['content-encoding'] ?? 'identity'
        resolve({ firstByteMs, bytes: body.length, body: body.toString(), encoding })
      })
    })
    outgoing.on('error', reject)
    outgoing.end()
  })

const HTML = { accept: 'text/html' }
const JSON_FORM = { accept: 'application/json' }

const measureMedian = async (agent: Agent, url: string, headers: Record<string, string>) => {
  const times: number[] = []
  for (let n = 0; n < VISITS; n++) times.push((await visit(agent, url, headers)).firstByteMs)
  return computeSpread(times).median * 1_000
}

/** The files that a page links to, by their kind. */
const findFiles = (page: string): { css: string[]; script: string[] } => ({
  css: [...page.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, path]) => path ?? ''),
  script: [...page.matchAll(/<script type="module" src="([^"]+)"/g)].map(([, path]) => path ?? ''),
})

const describeWeight = async (agent: Agent, url: string, path: string): Promise<string[]> => {
  const { body } = await visit(agent, url + path, HTML)
  const files = findFiles(body)
  const sum = async (paths: readonly string[], encoding: string) => {
    const headers = { ...HTML, 'accept-encoding': encoding }
    let bytes = 0
    for (const each of paths) bytes += (await visit(agent, url + each, headers)).bytes
    return bytes
  }
  const notes: string[] = []
  for (const encoding of ['identity', 'br', 'gzip']) {
    const [html, css, script] = [
      await sum([path], encoding),
      await sum(files.css, encoding),
      await sum(files.script, encoding),
    ]
    notes.push(`${encoding}: html ${html}, css ${css}, script ${script} bytes`)
  }
  return notes
}

export const pages: Measurement = {
  name: 'pages',
  question: 'what does an HTML page cost compared with its JSON?',
  run: async ({ scope, pairs, log }) => {
    const { url, clean } = await startDemo({ RATE_LIMIT_PER_MINUTE: '1000000000' })
    scope.onEnd(clean)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    scope.onEnd(() => agent.destroy())
    const pools = await visit(agent, `${url}/api/pools`, JSON_FORM)
    const pool: string = JSON.parse(pools.body).items[0].operatorAddress
    const ballots = await visit(agent, `${url}/api/proposals/2/ballots`, JSON_FORM)
    const { voter } = JSON.parse(ballots.body).items[0] as { voter: string }
    const findings: Finding[] = []
    for (const [name, path, api] of [
      ['front', '/', '/api/proposals'],
      ['proposals', '/proposals', '/api/proposals'],
      ['proposal', '/proposals/2', '/api/proposals/2'],
      ['pools', '/pools', '/api/pools'],
      ['pool', `/pools/${pool}`, `/api/pools/${pool}/votes`],
      ['voter', `/voters/${voter}`, `/api/voters/${voter}/votes`],
      ['status', '/status', '/api/health'],
    ] as const) {
      const measured = await measurePairs(
        {
          subject: () => measureMedian(agent, url + path, HTML),
          baseline: () => measureMedian(agent, url + api, JSON_FORM),
        },
        { pairs, log: (line) => log(`${name}: ${line}`) },
      )
      findings.push({
        name: `pages-${name}`,
        unit: 'µs',
        subject: { label: `first byte of ${path}`, figure: measured.subject },
        baseline: { label: `first byte of ${api}`, figure: measured.baseline },
        ratio: measured.ratio,
        target: null,
        bound: 'most',
        notes: await describeWeight(agent, url, path),
      })
    }
    return findings
  },
}
