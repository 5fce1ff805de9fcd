import { frontEnds } from '@portal/contract/front-ends'
import { beforeEach, expect, it, vi } from 'vitest'

const sent: Blob[] = []
beforeEach(() => {
  vi.resetModules()
  sent.length = 0
  vi.stubGlobal('navigator', { sendBeacon: (_: string, body: Blob) => sent.push(body) > 0 })
})

const FOLDER = 'https://portal.test/r/mfe-user/3f2a/js'
function createError(message: string, name = 'TypeError') {
  return Object.assign(new Error(message), {
    name,
    stack: `${name}: ${message}\n    at a (${FOLDER}/12.ab.js?attempt=1:3:14)\n    at https://portal.test/js/shell.cd.js:1:99\n    at async b (<anonymous>)`,
  })
}

it('finds the positions in a stack, and the release to which the code belongs', async () => {
  const { framesOf, originOf } = await import('./report.ts')
  expect(framesOf(createError('x'))).toEqual(['/r/mfe-user/3f2a/js/12.ab.js:3:14', '/js/shell.cd.js:1:99'])
  expect(originOf(createError('x'))).toEqual({ remote: 'mfe-user', release: '3f2a' })
  const firefox = Object.assign(new Error('x'), {
    stack: `a@${FOLDER}/12.ab.js:3:14\nb@https://portal.test/js/s.js:1:9`,
  })
  expect(originOf(firefox)).toEqual({ remote: 'mfe-user', release: '3f2a' })
  const chunkError = Object.assign(new Error('Loading chunk failed'), {
    request: `${FOLDER}/12.ab.js`,
    stack: '',
  })
  expect(framesOf(chunkError)).toEqual(['/r/mfe-user/3f2a/js/12.ab.js'])
  expect(
    originOf(
      Object.assign(new Error('x'), { stack: 'Error: x\n    at https://portal.test/js/shell.js:1:2' }),
    ),
  ).toBeUndefined()
})

it('reports only fields of the contract, and nothing from the error message', async () => {
  const { reportToServer } = await import('./report.ts')
  reportToServer(
    { remote: 'mfe-user', release: '3f2a', stage: 'rendering' },
    createError('Ada Obi <ada@users.test> has no grade'),
  )
  const body = JSON.parse((await sent[0]?.text()) ?? '')
  expect(frontEnds.report.body.parse(body)).toEqual(body)
  expect(JSON.stringify(body)).not.toMatch(/Ada|users\.test/)
})

it('reports files of a development build, whose names are long', async () => {
  const { reportToServer } = await import('./report.ts')
  const file = `mfe-user/dev/src_features_${'overview_'.repeat(10)}page_tsx.js`
  const stack = `Error: x\n    at a (https://portal.test/r/${file}:3:14)`
  const error = Object.assign(new Error('x'), { stack })
  reportToServer({ remote: 'mfe-user', release: 'dev', stage: 'rendering' }, error)
  const body = JSON.parse((await sent[0]?.text()) ?? '')
  expect(body.frames).toEqual([`/r/${file}:3:14`])
  expect(frontEnds.report.body.parse(body)).toEqual(body)
})

it('reports the same failure only once, and at most ten failures of one page', async () => {
  const { reportToServer } = await import('./report.ts')
  const reportError = (name: string) =>
    reportToServer({ remote: 'mfe-user', stage: 'event' }, createError('x', name))
  reportError('A')
  reportError('A')
  expect(sent).toHaveLength(1)
  for (let number = 0; number < 20; number++) reportError(`B${number}`)
  expect(sent).toHaveLength(10)
})
