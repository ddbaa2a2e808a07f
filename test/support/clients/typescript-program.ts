// TypeScript programs that use generated clients as their users would. They are compiled strictly, and then run.

/** Each client reads the filtered list and a proposal, with types that the compiler narrows without a cast. */
const TYPED_USE = `import createClient from 'openapi-fetch'
import type { paths } from './schema'
import { createClient as createHeyClient } from './hey/client'
import { getProposal, listProposals } from './hey/sdk.gen'
import * as orval from './orval'

const ENDED: ('passed' | 'rejected')[] = ['passed', 'rejected']

export const readFirstOptions = async (baseUrl: string): Promise<(string | undefined)[][]> => {
  const fetchClient = createClient<paths>({ baseUrl })
  const list = await fetchClient.GET('/api/proposals', { params: { query: { status: ENDED } } })
  if (list.error) throw new Error(list.error.code)
  const found: (string | undefined)[][] = []
  const ids: string[] = list.data.items.map(({ proposalId }) => proposalId)

  const client = createHeyClient({ baseUrl })
  const heyList = await listProposals({ client, query: { status: ENDED } })
  if (heyList.error) throw new Error('the list of hey-api failed')
  found.push(ids, heyList.data?.items.map(({ proposalId }) => proposalId) ?? [])

  const orvalList = await orval.listProposals({ status: ENDED })
  if (orvalList.status !== 200) throw new Error(\`the list of orval has status \${orvalList.status}\`)
  found.push(orvalList.data.items.map(({ proposalId }) => proposalId))

  for (const proposalId of ids) {
    const one = await fetchClient.GET('/api/proposals/{proposalId}', { params: { path: { proposalId } } })
    if (one.error) throw new Error(one.error.code)
    const other = await getProposal({ client, path: { proposalId } })
    const third = await orval.getProposal(proposalId)
    if (third.status !== 200) throw new Error(\`the proposal of orval has status \${third.status}\`)
    const options: (string | undefined)[] = [
      one.data.votes.items[0]?.vote?.options[0]?.option,
      other.data?.votes.items[0]?.vote?.options[0]?.option,
      third.data.votes.items[0]?.vote?.options[0]?.option,
    ]
    found.push(options)
  }
  return found
}
`

/** The validators of orval decode every answer at run time. */
const DECODE = `import { readFileSync } from 'node:fs'
import type { ZodType } from 'zod'
import { readFirstOptions } from './typed-use'
import * as zods from './zod'

type Request = { operationId: string; path: string }

const [baseUrl = '', file = ''] = process.argv.slice(2)
const requests: Request[] = JSON.parse(readFileSync(file, 'utf8'))
const schemas = zods as unknown as Record<string, ZodType | undefined>

const decode = async ({ operationId, path }: Request): Promise<string | null> => {
  const body: unknown = await (await fetch(baseUrl + path)).json()
  const result = schemas[\`\${operationId}Response\`]?.safeParse(body)
  if (result === undefined) return 'there is no schema'
  return result.success ? null : JSON.stringify(result.error.issues.slice(0, 2))
}

const run = async (): Promise<void> => {
  const failures: string[] = []
  for (const request of requests) {
    const failure = await decode(request)
    if (failure !== null) failures.push(\`\${request.path}: \${failure}\`)
  }
  const firstOptions = await readFirstOptions(baseUrl)
  console.log(JSON.stringify({ decoded: requests.length - failures.length, failures, firstOptions }))
}

void run()
`

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    module: 'ESNext',
    moduleResolution: 'Bundler',
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['*.ts', 'hey/**/*.ts'],
}

/** By name. `schema.d.ts`, `hey/`, `orval.ts` and `zod.ts` are generated beside them. */
export const TYPESCRIPT_FILES: Readonly<Record<string, string>> = {
  'typed-use.ts': TYPED_USE,
  'decode.ts': DECODE,
  'tsconfig.json': JSON.stringify(TSCONFIG),
}
