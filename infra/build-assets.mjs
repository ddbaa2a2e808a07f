// Puts beside the compiled files what they read at run time: migrations, recordings, assets and the package's version.
import { chmod, copyFile, cp, readdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url)
const path = (name) => fileURLToPath(new URL(name, root))

const ROOMS = ['ingest', 'projections', 'api', 'auth', 'infra']
/** Directories that hold no code, by name. */
const COPIED = ['assets', 'migrations', 'recording']

/** Absent rooms have none. */
const foldersOf = async (room) => {
  const entries = await readdir(path(room), { recursive: true, withFileTypes: true }).catch(
    () => [],
  )
  return entries
    .filter((entry) => entry.isDirectory() && COPIED.includes(entry.name))
    .map((entry) => `${(entry.parentPath ?? entry.path).slice(path('.').length)}/${entry.name}`)
}

for (const folder of (await Promise.all(ROOMS.map(foldersOf))).flat()) {
  const target = path(`dist/${folder}`)
  // A file that was removed from the sources must not live on in the build.
  await rm(target, { recursive: true, force: true })
  await cp(path(folder), target, { recursive: true })
}
await copyFile(path('package.json'), path('dist/package.json'))
await chmod(path('dist/infra/app/cli.js'), 0o755)
