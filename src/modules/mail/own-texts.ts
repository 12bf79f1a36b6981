import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configOf } from '../../kernel/declare/config.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import { mailConfig } from './config.ts';
import { mails, type MailDefinition, type MailTexts } from './mail.ts';
import { checkTemplate } from './render-mail.ts';

const PARTS = { subject: '.subject.txt', text: '.txt', html: '.html' } as const;

/**
 * Templates of mails. Files of `TRIBUTARY_MAIL_TEMPLATES` replace the built-in ones, each part
 * separately. A text without an HTML file is also used for the HTML part, because the built-in HTML
 * would say something else. An invalid file is logged and ignored.
 */
class OwnTexts {
  readonly #site: Site;
  readonly #folder: string;
  readonly #found = new Map<MailDefinition, MailTexts>();

  constructor(site: Site) {
    this.#site = site;
    this.#folder = configOf(site, mailConfig).mailTemplates;
  }

  of(mail: MailDefinition): MailTexts {
    let texts = this.#found.get(mail);
    if (!texts) this.#found.set(mail, (texts = this.#load(mail)));
    return texts;
  }

  /** Reads all files, so that mistakes are logged at the start. */
  checkAll(): void {
    const { registry, log } = this.#site;
    if (this.#folder === '') return;
    // Contributions to the point `mails` are mail definitions.
    const known = registry.modules
      .flatMap((module) => module.contributions ?? [])
      .filter(({ point }) => point === mails)
      .map(({ value }) => value as MailDefinition);
    for (const one of known) this.of(one);
    const ends = Object.values(PARTS);
    const names = new Set(known.flatMap(({ name }) => ends.map((end) => name + end)));
    for (const file of this.#files()) {
      if (!names.has(file))
        log.warn({ file }, 'mail template ignored: there is no mail of this name');
    }
  }

  #load(mail: MailDefinition): MailTexts {
    if (this.#folder === '') return mail.texts;
    const subject = this.#read(mail, 'subject') ?? mail.texts.subject;
    const ownText = this.#read(mail, 'text');
    const html = this.#read(mail, 'html') ?? (ownText === undefined ? mail.texts.html : undefined);
    return { subject, text: ownText ?? mail.texts.text, ...(html !== undefined && { html }) };
  }

  #read(mail: MailDefinition, part: keyof typeof PARTS): string | undefined {
    const file = join(this.#folder, mail.name + PARTS[part]);
    try {
      const template = readFileSync(file, 'utf8');
      checkTemplate(template, mail);
      return template;
    } catch (error) {
      // The errors come from the file system, or from `checkTemplate` without a code.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      const reason = (error as Error).message;
      this.#site.log.warn({ file, reason }, 'mail template is invalid; using the built-in one');
      return undefined;
    }
  }

  #files(): string[] {
    try {
      return readdirSync(this.#folder);
    } catch (error) {
      // `readdirSync` throws errors of the system.
      const reason = (error as Error).message;
      this.#site.log.warn(
        { folder: this.#folder, reason },
        'cannot read the folder of mail templates',
      );
      return [];
    }
  }
}

export const ownTextsOf = perSite((site) => new OwnTexts(site));
