import type { Site } from '../../kernel/site.ts';

const CLICKS_PER_MINUTE = 60;

/** Whether one more click from there is recorded: nobody clicks faster than that. */
export async function takeFromRecordingLimit({ limits }: Site, address: string): Promise<boolean> {
  const left = await limits.take(`clicks from ${address}`, CLICKS_PER_MINUTE);
  return left.allowed;
}
