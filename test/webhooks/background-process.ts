import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { eventually } from '../eventually.ts';
import { ended, program, tempFolder, within } from '../process/run.ts';

const START_MAX_MS = 30_000;
const STOP_MAX_MS = 10_000;
const children = new Set<ChildProcess>();
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));

/** A command that goes on until it is told to stop. */
export class BackgroundProcess {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';

  constructor(args: string[]) {
    this.child = spawn(process.execPath, [program, ...args], {
      cwd: tempFolder(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(this.child);
    this.child.stdout!.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
  }

  /** Waits until it has printed this. */
  says(words: RegExp): Promise<RegExpExecArray> {
    return eventually(() => {
      assert.equal(this.child.exitCode, null, this.stderr);
      return words.exec(this.stdout) ?? assert.fail(`${this.stdout}${this.stderr}`);
    }, START_MAX_MS);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM') {
    const end = ended(this.child);
    this.child.kill(signal);
    return within(STOP_MAX_MS, end, `stopping by ${signal}`);
  }
}
