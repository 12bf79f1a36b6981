import { test } from 'node:test';
import { testServer } from './databases.ts';

type Work = () => void | Promise<void>;

/** A test of what only a database in a file has. On a server it is reported with the reason instead. */
export function testOnFile(name: string, reason: string, work: Work): void {
  if (testServer() === undefined) void test(name, work);
  else void test(name, { skip: reason });
}

/** The option `skip` of a suite that is the same on every database, and runs on a file. */
export function skipOnServer(reason: string): string | false {
  return testServer() !== undefined && reason;
}

/** A test of what only a database on a server has. */
export function testOnServer(name: string, work: Work): void {
  if (testServer() !== undefined) void test(name, work);
}
