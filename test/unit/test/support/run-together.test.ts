// Tests of concurrent suites: cores are never overbooked, and shared resources are used by one suite at a time.
import { describe, expect, it } from 'vitest'
import { type Job, runTogether } from '../../../support/suite/run-together.ts'

type Load = Omit<Job<string>, 'run'>

/** Jobs by name that end on request, and the list of running ones. */
const createJobs = (loads: Readonly<Record<string, Load>>) => {
  const running = new Map<string, { end(): void; fail(): void }>()
  const jobs = Object.entries(loads).map(([name, load]): Job<string> => {
    const run = () =>
      new Promise<string>((resolve, reject) => {
        const end = () => {
          running.delete(name)
          resolve(name)
        }
        const fail = () => {
          running.delete(name)
          reject(new Error(name))
        }
        running.set(name, { end, fail })
      })
    return { ...load, run }
  })
  const flushPromises = () => new Promise((resolve) => setImmediate(resolve))
  return {
    jobs,
    running: () => [...running.keys()],
    end: async (name: string) => {
      running.get(name)?.end()
      await flushPromises()
    },
    fail: async (name: string) => {
      running.get(name)?.fail()
      await flushPromises()
    },
  }
}

describe('suites that run together', () => {
  it('start in the given order while enough cores are free', async () => {
    const { jobs, running, end } = createJobs({
      waits: { cores: 0.4 },
      works: { cores: 1.6 },
      next: { cores: 1 },
      last: { cores: 1 },
    })
    const results = runTogether(jobs, 2)
    expect(running()).toEqual(['waits', 'works'])
    await end('works')
    expect(running()).toEqual(['waits', 'next'])
    await end('waits')
    expect(running()).toEqual(['next', 'last'])
    await end('last')
    await end('next')
    expect(await results).toEqual(['waits', 'works', 'next', 'last'])
  })

  it('overtake a suite that must wait, if they fit', async () => {
    const { jobs, running, end } = createJobs({
      first: { cores: 1 },
      large: { cores: 2 },
      small: { cores: 1 },
    })
    const results = runTogether(jobs, 2)
    expect(running()).toEqual(['first', 'small'])
    await end('first')
    expect(running()).toEqual(['small'])
    await end('small')
    expect(running()).toEqual(['large'])
    await end('large')
    expect(await results).toEqual(['first', 'large', 'small'])
  })

  it('never use the same resource at the same time', async () => {
    const { jobs, running, end } = createJobs({
      pages: { cores: 1, competesFor: ['browser', 'timing'] },
      lighthouse: { cores: 1, competesFor: ['browser'] },
      kafka: { cores: 1, competesFor: ['kafka'] },
    })
    const results = runTogether(jobs, 8)
    expect(running()).toEqual(['pages', 'kafka'])
    await end('kafka')
    expect(running()).toEqual(['pages'])
    await end('pages')
    expect(running()).toEqual(['lighthouse'])
    await end('lighthouse')
    await results
  })

  it('run alone if they need more cores than the machine has', async () => {
    const { jobs, running, end } = createJobs({ large: { cores: 2 }, small: { cores: 0.5 } })
    const results = runTogether(jobs, 1)
    expect(running()).toEqual(['large'])
    await end('large')
    expect(running()).toEqual(['small'])
    await end('small')
    await results
  })

  it('run to the end even if one of them fails', async () => {
    const { jobs, running, end, fail } = createJobs({ fails: { cores: 1 }, follows: { cores: 1 } })
    const results = runTogether(jobs, 1)
    const rejected = expect(results).rejects.toThrow('fails')
    await fail('fails')
    expect(running()).toEqual(['follows'])
    await end('follows')
    await rejected
  })

  it('fill two cores with fractions that add up to two', async () => {
    const { jobs, running } = createJobs({
      a: { cores: 0.1 },
      b: { cores: 1.1 },
      c: { cores: 0.6 },
      d: { cores: 0.2 },
    })
    void runTogether(jobs, 2)
    expect(running()).toEqual(['a', 'b', 'c', 'd'])
  })
})
