import Type from 'typebox';
import type { FieldErrors } from '../../../kernel/declare/field-errors.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { errorOfLink } from '../link-rule.ts';
import { mails, usesLink, type MailDefinition } from '../mail.ts';
import { checkTemplate, isAlwaysInserted } from '../render-mail.ts';

const TEXT_LENGTH_MAX = 10_000;

export const textFields = {
  subject: Type.String({
    minLength: 1,
    maxLength: 200,
    // Each character fits one part only, so that checking is linear.
    pattern: '^[ \\t]*\\S[^\\r\\n]*$',
    description: 'One line. May contain placeholders such as {{site.name}}.',
  }),
  text: Type.String({
    minLength: 1,
    maxLength: TEXT_LENGTH_MAX,
    pattern: '\\S',
    description:
      'Plain text with placeholders. An empty line begins a paragraph; {{#message}}…{{/message}} is left out if the ' +
      'value is empty; {{link}} stands alone on its line, once, and becomes the button.',
  }),
};

export function findMailDefinition(site: Site, name: string): MailDefinition | undefined {
  return site.registry.contributions(mails).find((mail) => mail.name === name);
}

/** The placeholders without which the mail would not do what it is for. */
export function requiredIn(mail: MailDefinition): string[] {
  return [...(usesLink(mail) ? ['link'] : []), ...(mail.required ?? [])];
}

/** Adds an error for each field with an unknown placeholder, and for a required one that is missing. */
export function checkText(
  input: Partial<Record<'name' | 'subject' | 'text', string | undefined>>,
  errors: FieldErrors,
  site: Site,
): void {
  const mail = input.name === undefined ? undefined : findMailDefinition(site, input.name);
  if (!mail) return;
  for (const field of ['subject', 'text'] as const) {
    const template = input[field];
    const reason = template === undefined ? undefined : errorOf(mail, field, template);
    if (reason !== undefined) errors.add(field, reason);
  }
}

/** Why a text that is stored may not be used: the rules may be stricter than when it was stored. */
export function errorOfStored(
  mail: MailDefinition,
  { subject, text }: { subject: string; text: string },
): string | undefined {
  return errorOf(mail, 'subject', subject) ?? errorOf(mail, 'text', text);
}

/** Why a template of a mail is refused; undefined if it is not. */
export function errorOf(
  mail: MailDefinition,
  field: 'subject' | 'text',
  template: string,
): string | undefined {
  try {
    checkTemplate(template, mail);
  } catch (error) {
    // `checkTemplate` and Mustache throw errors with the reason.
    return (error as Error).message;
  }
  const error = usesLink(mail) ? errorOfLink(field, template) : undefined;
  if (error !== undefined || field === 'subject') return error;
  const missing = (mail.required ?? []).filter((name) => !isAlwaysInserted(template, name));
  if (missing.length === 0) return undefined;
  return `must contain ${missing.map((name) => `{{${name}}}`).join(', ')}, outside the sections of other placeholders`;
}
