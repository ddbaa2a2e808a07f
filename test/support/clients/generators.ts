// Common generators of clients, in the versions of test/tools/clients. Each writes a client into a folder.
import { existsSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CommandOptions, type CommandRun, runToEnd } from '../process/command.ts'
import { mavenClassPath } from '../process/maven-jars.ts'
import { pythonWith } from '../process/python.ts'
import { installLocked } from '../suite/checkers.ts'

const TOOLS = fileURLToPath(new URL('../../tools/clients/', import.meta.url))
/** The name of the package in each language. */
const PACKAGE = 'rollcall_client'
const OPENAPI_GENERATOR = '7.14.0'

/** Throws with the output of a command that fails. */
export const runWell = async (
  command: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<CommandRun> => {
  const run = await runToEnd(command, args, options)
  if (run.code === 0) return run
  throw new Error(
    `${command} ${args.join(' ')} ended with ${run.code}:\n${run.stdout}${run.stderr}`,
  )
}

export const installGenerators = async (): Promise<void> => {
  await installLocked(TOOLS)
  openApiGeneratorPath()
  await clientPython()
}

/** A Python with openapi-python-client, and with what the clients of both generators import. */
export const clientPython = (): Promise<string> =>
  pythonWith({ name: 'clients', requirements: join(TOOLS, 'requirements.txt') })

const openApiGeneratorPath = (): string =>
  mavenClassPath({
    title: 'OpenAPI Generator',
    name: 'openapi-generator',
    version: OPENAPI_GENERATOR,
    artifacts: [`org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`],
  })

type Target = { description: string; folder: string }

/** A client of openapi-generator: its sources, without documents and empty tests. */
export const runOpenApiGenerator = async (
  language: 'python' | 'go',
  { description, folder }: Target,
): Promise<void> => {
  const parts = ['models', 'apis', 'supportingFiles']
  const leftOut = ['modelTests', 'apiTests', 'modelDocs', 'apiDocs'].map((name) => `${name}=false`)
  await runWell(
    'java',
    [
      '-cp',
      openApiGeneratorPath(),
      'org.openapitools.codegen.OpenAPIGenerator',
      'generate',
      `--input-spec=${description}`,
      `--generator-name=${language}`,
      `--output=${folder}`,
      `--global-property=${[...parts, ...leftOut].join(',')}`,
      `--additional-properties=packageName=${PACKAGE}`,
    ],
    { deadlineMs: 180_000 },
  )
}

/** Returns its warnings: a schema that it cannot process is left out of the client. */
export const runPythonClientGenerator = async ({
  description,
  folder,
}: Target): Promise<string> => {
  const { stdout } = await runWell(
    await clientPython(),
    [
      '-m',
      'openapi_python_client',
      'generate',
      `--path=${description}`,
      `--output-path=${join(folder, PACKAGE)}`,
      `--config=${join(TOOLS, 'python-client.yaml')}`,
      '--meta=none',
    ],
    { cwd: folder },
  )
  return stdout.replace(/^Generating \S+\s*/, '').trim()
}

/** The path of an executable of the lockfile. */
const executable = (name: string): string => join(TOOLS, 'node_modules', '.bin', name)

/** Makes the packages of the lockfile available to the sources in a folder. */
export const linkPackages = async (folder: string): Promise<void> => {
  const link = join(folder, 'node_modules')
  if (!existsSync(link)) await symlink(join(TOOLS, 'node_modules'), link)
}

/** Runs an executable of the lockfile in a folder. */
export const runGenerator = (
  name: string,
  args: readonly string[],
  folder: string,
): Promise<CommandRun> =>
  runWell(process.execPath, [executable(name), ...args], { cwd: folder, deadlineMs: 180_000 })
