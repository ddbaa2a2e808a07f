// Writes the page of all event types and the examples on it: `npm run docs:events`.
import { writeFileSync } from 'node:fs'
import { EXAMPLES_FILE, readEventExamples, writtenExamples } from './event-examples.ts'
import { EVENTS_PAGE, eventsPage } from './events-page.ts'

writeFileSync(EXAMPLES_FILE, writtenExamples(await readEventExamples()))
writeFileSync(EVENTS_PAGE, eventsPage())
