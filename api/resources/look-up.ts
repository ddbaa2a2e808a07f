// Where an address that a person gives leads: to the voter's page, to the pool's, or to what is wrong with it. Pure.

import { ApiProblem } from '../problem.ts'
import { readAddress } from './address.ts'

type Found = { path: string } | { address: string; problem: string | null }

/** Spaces come along when an address is copied; capitals when it was scanned. */
export const lookUpAddress = (given: string): Found => {
  const trimmed = given.trim()
  const address = /^[A-Z0-9]+$/.test(trimmed) ? trimmed.toLowerCase() : trimmed
  if (address === '') return { address, problem: null }
  try {
    readAddress(address, 'address', 'cosmos1…')
  } catch (error) {
    const detail = error instanceof ApiProblem ? error.errors?.[0]?.detail : undefined
    if (detail === undefined) throw error
    return { address: trimmed, problem: detail }
  }
  const isPool = /^[a-z0-9]*valoper1[a-z0-9]+$/.test(address)
  return { path: `/${isPool ? 'pools' : 'voters'}/${address}` }
}
