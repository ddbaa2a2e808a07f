// Tests of the discovery documents: they follow their specifications, copies are equal, and digests match the served bytes.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Document } from '../../../../api/discovery/about.ts'
import { aiCatalog, ardCatalog } from '../../../../api/discovery/ai-catalog.ts'
import { apiCatalog } from '../../../../api/discovery/api-catalog.ts'
import { authMd } from '../../../../api/discovery/auth-md.ts'
import { knownServerCard, serverCard, serverJson } from '../../../../api/discovery/server-card.ts'
import { skillDocuments } from '../../../../api/discovery/skills.ts'
import { TOOL_NAMES } from '../../../../api/mcp/tools.ts'
import { aboutService, createChecker, PUBLIC_URL } from '../../../support/api/discovery.ts'

const readSchema = (name: string): object =>
  JSON.parse(
    readFileSync(
      new URL(`../../../fixtures/discovery/${name}.schema.json`, import.meta.url),
      'utf8',
    ),
  )

const checker = createChecker()
const [skillsIndex, ...skills] = skillDocuments(true)
const byKind: [string, Document][] = [
  ['server-card', serverCard],
  ['server-json', serverJson],
  ['ai-catalog', aiCatalog],
  ['agent-skills', skillsIndex!],
  ['linkset', apiCatalog],
]

const HOSTS = [PUBLIC_URL, 'http://127.0.0.1:8080', 'http://[::1]:8080', 'http://localhost:1']

describe('the discovery documents for agents', () => {
  it.each(byKind)('%s follows its specification, whatever the host is', (name, document) => {
    for (const baseUrl of HOSTS) {
      for (const issuesTokens of [true, false]) {
        const text = document.write(aboutService({ baseUrl, issuesTokens }))
        expect(checker.mistakes(readSchema(name), JSON.parse(text))).toEqual([])
      }
    }
  })

  it.each(byKind)('the check of %s detects an error', (name, document) => {
    const broken = JSON.parse(document.write(aboutService()))
    const list = broken.skills ?? broken.entries ?? broken.remotes ?? broken.linkset
    list[0] = { ...list[0], url: 1, 'service-desc': [{}] }
    expect(checker.mistakes(readSchema(name), broken)).not.toEqual([])
  })

  it('copies of a document are equal byte for byte', () => {
    const about = aboutService()
    expect(ardCatalog.write(about)).toBe(aiCatalog.write(about))
    expect(knownServerCard.write(about)).toBe(serverCard.write(about))
  })

  it('one server card serves old and new clients: both sets of members have equal values', () => {
    const card = JSON.parse(serverCard.write(aboutService()))
    expect(card.name).toBe('org.example.gov/proposals')
    expect(card.serverInfo).toEqual({ name: card.name, title: card.title, version: card.version })
    expect(card.endpoint).toBe(card.remotes[0].url)
    expect(new URL(card.transport.endpoint, PUBLIC_URL).href).toBe(card.endpoint)
    expect(card.protocolVersion).toBe(card.remotes[0].supportedProtocolVersions[0])
  })

  it('the server at an IP address has the name of the product', () => {
    const nameAt = (baseUrl: string) =>
      JSON.parse(serverCard.write(aboutService({ baseUrl }))).serverInfo.name
    expect(HOSTS.map(nameAt)).toEqual([
      'org.example.gov/proposals',
      'rollcall/proposals',
      'rollcall/proposals',
      'localhost/proposals',
    ])
  })

  it('each entry has one name, and its type under both member names', () => {
    const { entries } = JSON.parse(aiCatalog.write(aboutService()))
    const identifiers = entries.map(({ identifier }: { identifier: string }) => identifier)
    expect(new Set(identifiers).size).toBe(identifiers.length)
    for (const entry of entries) expect(entry.mediaType).toBe(entry.type)
    expect(entries[0].capabilities).toEqual(TOOL_NAMES)
  })
})

describe('skills', () => {
  it('have digests of exactly the bytes that are served', () => {
    const about = aboutService()
    const index = JSON.parse(skillsIndex!.write(about)).skills
    expect(index).toHaveLength(4)
    for (const [n, skill] of index.entries()) {
      const bytes = skills[n]!.write(about)
      expect(skill.url).toBe(PUBLIC_URL + skills[n]!.path)
      expect(skill.digest).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`)
    }
  })

  it('start with the folder name and the description of the index, and are short', () => {
    const about = aboutService()
    const index = JSON.parse(skillsIndex!.write(about)).skills
    for (const [n, { name, description }] of index.entries()) {
      const text = skills[n]!.write(about)
      expect(skills[n]!.path).toBe(`/.well-known/agent-skills/${name}/SKILL.md`)
      expect(text).toMatch(new RegExp(`^---\nname: ${name}\ndescription: `))
      expect(text).toContain(`\ndescription: ${JSON.stringify(description)}\n`)
      expect(text).toContain('```sh\n')
      expect(text.split('\n').length).toBeLessThan(500)
    }
  })
})

describe('the documents of a service without tokens', () => {
  it('say that no token is needed, and contain no token endpoint', () => {
    const about = aboutService({ issuesTokens: false })
    const texts = [authMd, aiCatalog, apiCatalog, ...skillDocuments(false)].map((each) =>
      each.write(about),
    )
    for (const text of texts) expect(text).not.toMatch(/oauth|\/agent\/identity|get-a-token/)
    expect(authMd.write(about)).toMatch(/^# auth\.md/)
    expect(JSON.parse(serverCard.write(about)).authentication.schemes).toEqual([])
  })
})
