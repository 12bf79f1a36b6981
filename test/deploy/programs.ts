import type { TestContext } from 'node:test';
import { findProgram, type Program, type ProgramSource } from '../support/debian-packages.ts';

export const nginx: ProgramSource = {
  names: ['nginx'],
  debianPackage: 'nginx',
  pathInPackage: 'sbin/nginx',
};

export const promtool: ProgramSource = {
  names: ['promtool'],
  debianPackage: 'prometheus',
  pathInPackage: 'bin/promtool',
};

export const prometheus: ProgramSource = {
  names: ['prometheus'],
  debianPackage: 'prometheus',
  pathInPackage: 'bin/prometheus',
};

export const systemdAnalyze: ProgramSource = {
  names: ['systemd-analyze'],
  debianPackage: 'systemd',
  pathInPackage: 'bin/systemd-analyze',
};

/** The program, or the test is reported as skipped with the reason. */
export function programFor(t: TestContext, wanted: ProgramSource): Program | undefined {
  try {
    return findProgram(wanted);
  } catch (error) {
    t.skip(`NOT TESTED without ${wanted.names[0]}: ${(error as Error).message}`);
    return undefined;
  }
}
