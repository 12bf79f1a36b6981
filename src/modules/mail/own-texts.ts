import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import { mails, type MailDefinition, type MailTexts } from './mail.ts';
import { checkTemplate } from './render-mail.ts';

const PARTS = { subject: '.subject.txt', text: '.txt', html: '.html' } as const;

/**
 * The texts of a mail: the site's own where its folder has any, each part by itself. A text of its
 * own without HTML of its own makes the HTML too, since the built-in one would say something else.
 * A faulty file is told about and not used.
 */
class OwnTexts {
  readonly #site: Site;
  readonly #found = new Map<MailDefinition, MailTexts>();

  constructor(site: Site) {
    this.#site = site;
  }

  of(mail: MailDefinition): MailTexts {
    let texts = this.#found.get(mail);
    if (!texts) this.#found.set(mail, (texts = this.#load(mail)));
    return texts;
  }

  /** Reads them all, so that what is wrong is known at the start. */
  checkAll(): void {
    const { registry, mail, log } = this.#site;
    if (mail.templates === '') return;
    const known = registry.modules
      .flatMap((module) => module.contributions ?? [])
      .filter(({ point }) => point === mails)
      .map(({ value }) => value as MailDefinition);
    for (const one of known) this.of(one);
    const ends = Object.values(PARTS);
    const names = new Set(known.flatMap(({ name }) => ends.map((end) => name + end)));
    for (const file of this.#files()) {
      if (!names.has(file)) log.warn({ file }, 'there is no mail of this name');
    }
  }

  #load(mail: MailDefinition): MailTexts {
    if (this.#site.mail.templates === '') return mail.texts;
    const subject = this.#read(mail, 'subject') ?? mail.texts.subject;
    const ownText = this.#read(mail, 'text');
    const html = this.#read(mail, 'html') ?? (ownText === undefined ? mail.texts.html : undefined);
    return { subject, text: ownText ?? mail.texts.text, ...(html !== undefined && { html }) };
  }

  #read(mail: MailDefinition, part: keyof typeof PARTS): string | undefined {
    const file = join(this.#site.mail.templates, mail.name + PARTS[part]);
    try {
      const template = readFileSync(file, 'utf8');
      checkTemplate(template, mail);
      return template;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      const reason = (error as Error).message;
      this.#site.log.warn({ file, reason }, 'a text of a mail is faulty; the built-in one is used');
      return undefined;
    }
  }

  #files(): string[] {
    const { log, mail } = this.#site;
    try {
      return readdirSync(mail.templates);
    } catch (error) {
      const reason = (error as Error).message;
      log.warn({ folder: mail.templates, reason }, 'the folder of mail texts cannot be read');
      return [];
    }
  }
}

export const ownTextsOf = perSite((site) => new OwnTexts(site));
