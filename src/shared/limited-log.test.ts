import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { causeOf, LimitedLog } from './limited-log.ts';

function makeLog() {
  const lines: string[] = [];
  const at = (level: string) => (fields: object, message: string) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  const time = { ms: 0 };
  const log = { info: at('info'), warn: at('warn'), error: at('error') };
  return { lines, time, limited: new LimitedLog(log, () => time.ms) };
}

describe('a limited log', () => {
  test('has one line per cause and minute, and says how many were left out', () => {
    const { lines, time, limited } = makeLog();
    for (let i = 0; i < 5; i++) limited.error('disk', {}, 'the disk is full');
    limited.warn('mail', {}, 'no mail server');
    assert.deepEqual(lines, ['error the disk is full {}', 'warn no mail server {}']);
    time.ms += 60_000;
    limited.error('disk', { left: 0 }, 'the disk is full');
    assert.equal(lines[2], 'error the disk is full {"left":0,"suppressed":4}');
    time.ms += 60_000;
    limited.error('disk', {}, 'the disk is full');
    assert.equal(lines[3], 'error the disk is full {}', 'nothing was left out in between');
  });

  test('says once that a cause is over, and only of one that was logged', () => {
    const { lines, limited } = makeLog();
    limited.recovered('disk', {}, 'there is space');
    limited.error('disk', {}, 'the disk is full');
    limited.error('disk', {}, 'the disk is full');
    limited.recovered('disk', {}, 'there is space');
    limited.recovered('disk', {}, 'there is space');
    assert.deepEqual(lines, ['error the disk is full {}', 'info there is space {"suppressed":1}']);
  });

  test('has one pair of lines per minute for what fails and recovers all the time', () => {
    const { lines, time, limited } = makeLog();
    for (let i = 0; i < 120; i++) {
      limited.warn('redis', {}, 'lost');
      limited.recovered('redis', {}, 'there');
      time.ms += 1_000;
    }
    assert.deepEqual(lines, [
      'warn lost {}',
      'info there {}',
      'warn lost {"suppressed":59}',
      'info there {}',
    ]);
  });

  test('remembers a bounded number of causes', () => {
    const { lines, limited } = makeLog();
    for (let i = 0; i <= 1_000; i++) limited.warn(`cause ${i}`, {}, 'x');
    limited.warn('cause 1000', {}, 'x');
    assert.equal(lines.length, 1_001);
    limited.warn('cause 0', {}, 'x');
    assert.equal(lines.length, 1_002, 'the oldest was forgotten');
  });
});

describe('the cause of an error', () => {
  const refused = (port: number) =>
    Object.assign(new Error(`connect ECONNREFUSED 127.0.0.1:${port}`), { code: 'ECONNREFUSED' });

  test('is the same for the same fault, whatever numbers it names', () => {
    assert.equal(causeOf(refused(1)), causeOf(refused(65_535)));
  });

  test('differs by words, and without a code by the place that threw it', () => {
    assert.notEqual(causeOf(refused(1)), causeOf(new Error('another')));
    const here = new Error('same');
    const there = new Error('same');
    assert.notEqual(causeOf(here), causeOf(there));
    assert.equal(causeOf('text'), 'text');
  });
});
