// Reads the texts of the scenario's proposals.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

type ProposalText = { title: string; summary: string; metadata: string }

const FILE = new URL('proposal-texts.yaml', import.meta.url)
const TEXTS: Readonly<Record<string, ProposalText>> = parse(readFileSync(FILE, 'utf8'))

export function textOf(name: string): ProposalText {
  const text = TEXTS[name]
  if (!text) throw new Error(`there is no text of the proposal ${name}`)
  return text
}
