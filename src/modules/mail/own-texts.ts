import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configOf } from '../../kernel/declare/config.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import { languages, type Language } from '../../shared/languages.ts';
import { mailConfig } from './config.ts';
import { errorOfLink } from './link-rule.ts';
import { mails, usesLink, type MailDefinition, type MailTexts } from './mail.ts';
import { checkTemplate } from './render-mail.ts';

const PARTS = { subject: '.subject.txt', text: '.txt', html: '.html' } as const;

/**
 * Templates of mails. Files of `TRIBUTARY_MAIL_TEMPLATES` replace the built-in ones, each part
 * separately: `<mail>.<language>.txt` for one language, `<mail>.txt` for all others. A text without an HTML file is also used for the HTML part, because the built-in HTML
 * would say something else. An invalid file is logged and ignored.
 */
class OwnTexts {
  readonly #site: Site;
  readonly #folder: string;
  readonly #found = new Map<string, MailTexts>();
  /** Each file is read once, so that a mistake is logged once. */
  readonly #files = new Map<string, string | undefined>();

  constructor(site: Site) {
    this.#site = site;
    this.#folder = configOf(site, mailConfig).mailTemplates;
  }

  of(mail: MailDefinition, language: Language): MailTexts {
    if (this.#folder === '') return mail.texts[language];
    const key = `${mail.name}.${language}`;
    let texts = this.#found.get(key);
    if (!texts) this.#found.set(key, (texts = this.#load(mail, language)));
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
    for (const mail of known) for (const language of languages) this.of(mail, language);
    const ends = Object.values(PARTS);
    const names = new Set(
      known.flatMap(({ name }) =>
        ['', ...languages.map((language) => `.${language}`)].flatMap((middle) =>
          ends.map((end) => name + middle + end),
        ),
      ),
    );
    for (const file of this.#list()) {
      if (!names.has(file))
        log.warn({ file }, 'mail template ignored: there is no mail of this name');
    }
  }

  #load(mail: MailDefinition, language: Language): MailTexts {
    const builtIn = mail.texts[language];
    const one = this.#partsOf(mail, `.${language}`);
    const all = this.#partsOf(mail, '');
    const ofAll = all.html ?? (all.text === undefined ? builtIn.html : undefined);
    const html = one.html ?? (one.text === undefined ? ofAll : undefined);
    return {
      subject: one.subject ?? all.subject ?? builtIn.subject,
      text: one.text ?? all.text ?? builtIn.text,
      ...(html !== undefined && { html }),
      ...(builtIn.action !== undefined && { action: builtIn.action }),
    };
  }

  #partsOf(mail: MailDefinition, middle: string) {
    const read = (part: keyof typeof PARTS) =>
      this.#read(mail, part, mail.name + middle + PARTS[part]);
    return { subject: read('subject'), text: read('text'), html: read('html') };
  }

  #read(mail: MailDefinition, part: keyof typeof PARTS, name: string): string | undefined {
    if (!this.#files.has(name)) this.#files.set(name, this.#readFile(mail, part, name));
    return this.#files.get(name);
  }

  #readFile(mail: MailDefinition, part: keyof typeof PARTS, name: string): string | undefined {
    const file = join(this.#folder, name);
    try {
      const template = readFileSync(file, 'utf8');
      checkTemplate(template, mail);
      const error = usesLink(mail) ? errorOfLink(part, template) : undefined;
      if (error !== undefined) throw new Error(error);
      return template;
    } catch (error) {
      // The errors come from the file system, or from the checks without a code.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      const reason = (error as Error).message;
      this.#site.log.warn({ file, reason }, 'mail template is invalid; using the built-in one');
      return undefined;
    }
  }

  #list(): string[] {
    try {
      return readdirSync(this.#folder);
    } catch (error) {
      // `readdirSync` throws errors of the system.
      const reason = (error as Error).message;
      this.#site.log.warn(
        { folder: this.#folder, reason },
        'cannot read the folder of email templates',
      );
      return [];
    }
  }
}

export const ownTextsOf = perSite((site) => new OwnTexts(site));
