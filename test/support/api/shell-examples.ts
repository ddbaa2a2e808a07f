// Runs the commands of a Markdown page unchanged, in one shell and an empty folder.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runToEnd } from '../process/command.ts'

const END = '@@ the end of a block'

/** Blocks marked `sh`, in their order. */
export const shellBlocks = (markdown: string): string[] =>
  [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)

export type PageRun = { code: number | null; stderr: string; outputs: readonly string[] }

/** `outputs` has one entry for each block that ran to its end; the first command that fails ends the page. */
export const runPage = async (markdown: string): Promise<PageRun> => {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-page-'))
  const script = shellBlocks(markdown)
    .map((block) => `${block}printf '\\n%s\\n' '${END}'\n`)
    .join('')
  try {
    const { code, stdout, stderr } = await runToEnd(
      ...(['bash', ['-euo', 'pipefail', '-c', script]] as const),
      { cwd: folder, deadlineMs: 60_000 },
    )
    return { code, stderr, outputs: stdout.split(`\n${END}\n`).slice(0, -1) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
