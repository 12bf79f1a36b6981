import Mustache from 'mustache';
import { BoundedMap } from '../../shared/bounded-map.ts';

/** Mustache would keep every template it has seen, and each draft of a text is one. */
const TEMPLATES_MAX = 500;

Mustache.templateCache = new BoundedMap<string, string>(TEMPLATES_MAX);

/** A token of Mustache's parser; sections contain tokens. */
export type Token = [kind: string, name: string, start: number, end: number, inner?: Token[]];

/** Throws an error with the reason if the template cannot be parsed. */
export function parseTemplate(template: string): Token[] {
  // Mustache declares a union of tuples; `Token` describes the common part that is read here.
  return Mustache.parse(template) as Token[];
}

export function renderTemplate(
  template: string,
  view: object,
  escape: (value: string) => string,
): string {
  return Mustache.render(template, view, {}, { escape });
}

export const escapeForHtml = (value: string): string => Mustache.escape(value);
