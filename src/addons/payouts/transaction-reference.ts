import Type from 'typebox';

export const TransactionReference = Type.String({
  maxLength: 100,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  description:
    'What the bank or the gateway calls the payment: up to 100 characters without control ' +
    'characters. Spaces around it are removed; blank means that there is none.',
  examples: ['SEPA 2026-11-03 4711'],
});

/** The reference as it is stored; undefined where none was given. */
export function readReference(given: string | undefined): string | undefined {
  return given?.trim() || undefined;
}
