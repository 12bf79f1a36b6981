import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeliveryAdmission } from './delivery-admission.ts';

const MEGABYTE = 1024 * 1024;
const one = { network: '192.0.2.1', connection: '1' };

test('large deliveries of a network have 16 MB at the same time, others their own', () => {
  const admission = new DeliveryAdmission(() => 0);
  const releases = Array.from({ length: 8 }, () => admission.admit(one, 2 * MEGABYTE));
  assert.ok(releases.every(Boolean));
  assert.equal(admission.admit(one, 2 * MEGABYTE), undefined);
  assert.ok(admission.admit(one, 60_000), 'small ones are always read');
  assert.ok(admission.admit({ ...one, network: '192.0.2.2' }, 2 * MEGABYTE));
  releases[0]!();
  assert.ok(admission.admit(one, 2 * MEGABYTE));
});

test('a connection has a limit for forged deliveries of all networks, until the minute ends', () => {
  let nowMs = 0;
  const admission = new DeliveryAdmission(() => nowMs);
  for (let i = 0; i < 32; i += 1) {
    const sender = { network: `192.0.2.${i}`, connection: '1' };
    assert.ok(admission.admit(sender, 2 * MEGABYTE));
    admission.noteRefused(sender, 2 * MEGABYTE);
  }
  const other = { network: '198.51.100.1', connection: '1' };
  assert.equal(admission.admit(other, 2 * MEGABYTE), undefined);
  assert.ok(admission.admit({ ...other, connection: '2' }, 2 * MEGABYTE));
  nowMs = 60_001;
  assert.ok(admission.admit(other, 2 * MEGABYTE));
});
