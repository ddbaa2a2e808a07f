// 405 and `Allow` follow from the registered routes, for every method that Node accepts.
import { METHODS } from 'node:http'
import fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import {
  answerOtherMethods,
  answerRareMethods,
  type OtherMethods,
} from '../../../../../infra/base/http/other-methods.ts'

const OTHERS: OtherMethods = {
  optionsHeaders: (request, allow) => ({
    'access-control-allow-methods': allow,
    'x-route': request.routeOptions.config.url ?? '',
  }),
  createError: (method, allow) =>
    Object.assign(new Error(`${method}, but ${allow}`), { statusCode: 405 }),
}

const handler = async () => 'ok'

const setup = (addRoutes: (app: FastifyInstance) => void) => {
  const app = fastify()
  answerRareMethods(app, OTHERS.createError)
  answerOtherMethods(app, OTHERS, () => addRoutes(app))
  const ask = async (method: string, url: string, payload?: string) => {
    const answer = await app.inject({ method: method as 'GET', url, payload: payload ?? '' })
    return [answer.statusCode, answer.headers['allow']]
  }
  return { app, ask }
}

const OWN = ['GET', 'HEAD', 'OPTIONS', 'CONNECT']

describe('a path', () => {
  it('answers 405 with the methods of its routes to all others', async () => {
    const { ask } = setup((app) => app.get('/list/:id', handler))
    for (const method of METHODS.filter((each) => !OWN.includes(each))) {
      expect([method, ...(await ask(method, '/list/7'))]).toEqual([
        method,
        405,
        'GET, HEAD, OPTIONS',
      ])
    }
    expect(await ask('GET', '/list/7')).toEqual([200, undefined])
    expect(await ask('HEAD', '/list/7')).toEqual([200, undefined])
    for (const method of ['POST', 'PROPFIND', 'TRACE']) {
      expect(await ask(method, '/nothing')).toEqual([404, undefined])
      expect(await ask(method, '/list/7/8')).toEqual([404, undefined])
    }
  })

  it('with several routes allows the methods of all of them', async () => {
    const { ask } = setup((app) => {
      app.post('/both', handler)
      app.get('/both', handler)
      app.delete('/one', handler)
    })
    expect(await ask('SEARCH', '/both')).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
    expect(await ask('PUT', '/both')).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
    expect(await ask('OPTIONS', '/both')).toEqual([204, 'GET, HEAD, POST, OPTIONS'])
    expect(await ask('GET', '/one')).toEqual([405, 'DELETE, OPTIONS'])
  })

  it('may have its routes in a scope of their own, with another format of errors', async () => {
    const { ask } = setup((app) => {
      void app.register(async (scope) => {
        scope.setErrorHandler(async () => 'a page')
        scope.get('/page', handler)
      })
    })
    expect(await ask('PATCH', '/page')).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  it('refuses a method before it reads the body', async () => {
    const { ask } = setup((app) => app.get('/', handler))
    expect(await ask('POST', '/', '{ not JSON')).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  it('answers with the error format, the hooks and the configuration of its scope', async () => {
    const app = fastify()
    answerOtherMethods(app, OTHERS, () => app.get('/outer', handler))
    void app.register(async (scope) => {
      scope.addHook('onRequest', async (_request, reply) => void reply.header('x-scope', 'inner'))
      scope.setErrorHandler((error, _request, reply) =>
        reply.code(405).send({ inner: (error as Error).message }),
      )
      answerOtherMethods(scope, OTHERS, () => {
        scope.post('/inner', { config: { url: '/inner', operation: 'mine' } as never }, handler)
      })
    })
    const refused = await app.inject({ method: 'DELETE', url: '/inner' })
    expect(refused.json()).toEqual({ inner: 'DELETE, but POST, OPTIONS' })
    expect([refused.headers['allow'], refused.headers['x-scope']]).toEqual([
      'POST, OPTIONS',
      'inner',
    ])
    const options = await app.inject({ method: 'OPTIONS', url: '/inner' })
    expect([options.headers['x-route'], options.headers['x-scope']]).toEqual(['/inner', 'inner'])
    const outer = await app.inject({ method: 'POST', url: '/outer' })
    expect([outer.json().message, outer.headers['x-scope']]).toEqual([
      'POST, but GET, HEAD, OPTIONS',
      undefined,
    ])
  })
})
