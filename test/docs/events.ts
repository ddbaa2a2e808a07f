// Writes the page of all event types: `npm run docs:events`.
import { writeFileSync } from 'node:fs'
import { EVENTS_PAGE, eventsPage } from './events-page.ts'

writeFileSync(EVENTS_PAGE, eventsPage())
