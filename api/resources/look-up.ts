// Finds the page of an address that a user enters, or reports why the address is not valid. Pure.

import { ApiProblem } from '../problem.ts'
import { parseAddress } from './address.ts'

type Found = { path: string } | { address: string; problem: string | null }

/** Copied addresses can have spaces, and scanned addresses can have capital letters. */
export const lookUpAddress = (given: string): Found => {
  const trimmed = given.trim()
  const address = /^[A-Z0-9]+$/.test(trimmed) ? trimmed.toLowerCase() : trimmed
  if (address === '') return { address, problem: null }
  try {
    parseAddress(address, 'address', 'cosmos1…')
  } catch (error) {
    const detail = error instanceof ApiProblem ? error.errors?.[0]?.detail : undefined
    if (detail === undefined) throw error
    return { address: trimmed, problem: detail }
  }
  const isPool = /^[a-z0-9]*valoper1[a-z0-9]+$/.test(address)
  return { path: `/${isPool ? 'pools' : 'voters'}/${address}` }
}
