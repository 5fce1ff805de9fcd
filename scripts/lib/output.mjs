import { spawn } from 'node:child_process'
import { toolEnvironment } from './setup.mjs'

/**
 * Runs a program and returns its output. Does not throw for an exit code other than 0, because some programs report findings in
 * this way.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, input?: string, timeout?: number }} options `timeout`: milliseconds after which it is
 *   terminated, with a null code
 * @returns {Promise<{ code: number | null, out: string, err: string }>}
 */
export function captureOutput(command, args, { cwd, input, timeout } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: toolEnvironment(),
      timeout,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    child.stdout.setEncoding('utf8').on('data', part => {
      out += part
    })
    child.stderr.setEncoding('utf8').on('data', part => {
      err += part
    })
    child.on('error', reject)
    child.on('close', code => resolve({ code, out, err }))
    child.stdin.end(input)
  })
}
