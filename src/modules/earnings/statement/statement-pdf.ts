import { brotliDecompressSync } from 'node:zlib';
import type { Language } from '../../../shared/languages.ts';
import type { Currency } from '../../../shared/money.ts';
import { textIn, type TextKey } from '../../../shared/texts.ts';
import { lineKinds, totalsOf, type Period, type StatementLine } from './statement.ts';

export interface StatementFonts {
  readonly regular: Buffer;
  readonly bold: Buffer;
}

let loadedFonts: Promise<StatementFonts> | undefined;

/**
 * The fonts of printed statements. The fonts that every PDF reader has lack letters such as ł, ş and Cyrillic, so the
 * file contains its own. They are loaded with the first statement that is printed.
 */
function statementFonts(): Promise<StatementFonts> {
  loadedFonts ??= import('./noto-sans.json', { with: { type: 'json' } }).then(
    ({ default: font }) => ({
      regular: brotliDecompressSync(Buffer.from(font.regular, 'base64')),
      bold: brotliDecompressSync(Buffer.from(font.bold, 'base64')),
    }),
  );
  return loadedFonts;
}

/** Latin, Greek and Cyrillic letters with punctuation and currency signs: what the fonts contain. */
const COVERED =
  /^[\u0020-\u007e\u00a0-\u024f\u0370-\u04ff\u1e00-\u1eff\u2010-\u2027\u20a0-\u20bf]*$/;

/** Whether the fonts have every letter of a text. Each missing one is printed as an empty box. @internal */
export function isCovered(text: string): boolean {
  return COVERED.test(text);
}

/** What a printed statement shows. Amounts are in minor units. */
export interface PrintedStatement {
  readonly store: string;
  readonly affiliate: { readonly name: string; readonly login: string; readonly email: string };
  readonly period: Period;
  readonly opening: number;
  readonly closing: number;
  readonly lines: readonly StatementLine[];
  readonly language: Language;
  readonly currency: Currency;
  readonly timeZone: string;
}

const MARGIN = 48;
const ROW = 18;
const GREY = '#5c6570';
const LINE = '#d9dde2';

/** The columns of the table: left edge and width in points, on A4. */
const columns = {
  date: { x: MARGIN, width: 70 },
  description: { x: 122, width: 206 },
  coupon: { x: 334, width: 74 },
  amount: { x: 408, width: 66 },
  balance: { x: 478, width: 69 },
};
const RIGHT = columns.balance.x + columns.balance.width;

type Document = InstanceType<typeof import('pdfkit')>;

/** Prints a statement as PDF, without a pause: `printInThread` calls it. */
export async function toPdf(statement: PrintedStatement): Promise<Uint8Array> {
  const [{ default: PDFDocument }, fonts] = await Promise.all([import('pdfkit'), statementFonts()]);
  const document = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    lang: statement.language,
    displayTitle: true,
    info: { Title: textIn(statement.language, 'server.statement.title'), Author: statement.store },
    // Not the default, a font whose metrics are in a file that a bundle does not have.
    font: '',
  });
  document.registerFont('regular', fonts.regular).registerFont('bold', fonts.bold);
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve, reject) => document.on('end', resolve).on('error', reject));
  new Printer(document, statement).print();
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

class Printer {
  readonly #document: Document;
  readonly #statement: PrintedStatement;
  readonly #money: Intl.NumberFormat;
  readonly #date: Intl.DateTimeFormat;
  #y = MARGIN;

  constructor(document: Document, statement: PrintedStatement) {
    const { language, currency, timeZone } = statement;
    const digits = currency.decimals;
    this.#document = document;
    this.#statement = statement;
    this.#money = new Intl.NumberFormat(language, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    this.#date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone });
  }

  print(): void {
    this.#head();
    this.#summary();
    this.#tableHead();
    const { lines } = this.#statement;
    if (lines.length === 0)
      this.#text(this.#say('server.statement.noLines'), MARGIN, { color: GREY });
    for (const line of lines) this.#line(line);
    this.#pageNumbers();
  }

  #head(): void {
    const { store, affiliate, period } = this.#statement;
    this.#text(store, MARGIN, { size: 10, color: GREY });
    this.#y += 18;
    this.#text(this.#say('server.statement.title'), MARGIN, { size: 20, bold: true });
    this.#y += 36;
    // A login is ASCII: it names the person even if the fonts lack the letters of the name.
    const name = isCovered(affiliate.name)
      ? `${affiliate.name} (${affiliate.login})`
      : affiliate.login;
    this.#text(this.#say('server.statement.affiliate'), MARGIN, { color: GREY });
    this.#text(`${name}, ${affiliate.email}`, columns.description.x, {
      width: RIGHT - columns.description.x,
    });
    this.#y += 15;
    const days = `${this.#day(period.from)} – ${this.#day(period.to)}`;
    this.#text(this.#say('server.statement.period'), MARGIN, { color: GREY });
    this.#text(days, columns.description.x);
    this.#y += 30;
  }

  #summary(): void {
    const { opening, closing, lines, currency } = this.#statement;
    const totals = totalsOf(lines);
    this.#sum(this.#say('server.statement.opening'), opening, false);
    for (const kind of lineKinds) {
      if (totals[kind] !== 0)
        this.#sum(this.#say(`server.statement.totals.${kind}`), totals[kind], false);
    }
    this.#rule();
    this.#sum(`${this.#say('server.statement.closing')} (${currency.code})`, closing, true);
    this.#y += 4;
    this.#y += this.#text(this.#say('server.statement.note'), MARGIN, {
      size: 8,
      color: GREY,
      width: RIGHT - MARGIN,
    });
    this.#y += 16;
  }

  #sum(label: string, amount: number, bold: boolean): void {
    this.#text(label, MARGIN, { bold, width: 300 });
    this.#number(amount, columns.balance, bold);
    this.#y += ROW;
  }

  #tableHead(): void {
    const currency = this.#statement.currency.code;
    const style = { size: 8, color: GREY };
    for (const name of ['date', 'description', 'coupon'] as const) {
      this.#text(this.#say(`server.statement.${name}`), columns[name].x, style);
    }
    for (const name of ['amount', 'balance'] as const) {
      const { x, width } = columns[name];
      const text = this.#say(`server.statement.${name}`, { currency });
      this.#text(text, x, { ...style, width, align: 'right' });
    }
    this.#y += 14;
    this.#rule();
  }

  #line(line: StatementLine): void {
    const text = this.#description(line);
    const { width } = columns.description;
    const height = Math.max(
      this.#height(text, width),
      this.#height(line.coupon_code, columns.coupon.width),
    );
    if (this.#y + height > this.#document.page.height - MARGIN - ROW) {
      this.#document.addPage();
      this.#y = MARGIN;
      this.#tableHead();
    }
    this.#text(this.#date.format(line.at), columns.date.x, { color: GREY });
    this.#text(text, columns.description.x, { width });
    this.#text(line.coupon_code, columns.coupon.x, { width: columns.coupon.width });
    this.#number(line.amount, columns.amount, false);
    this.#number(line.balance, columns.balance, false);
    this.#y += height + 5;
  }

  #description({ kind, order_id, payout_id, reason }: StatementLine): string {
    const number = String(order_id ?? payout_id ?? '');
    return this.#say(`server.statement.lines.${kind}`, { number, reason });
  }

  #pageNumbers(): void {
    const { count } = this.#document.bufferedPageRange();
    for (let i = 0; i < count; i++) {
      this.#document.switchToPage(i);
      const { page } = this.#document;
      // Text below the bottom margin would begin a new page.
      page.margins.bottom = 0;
      this.#y = page.height - MARGIN + 8;
      const text = this.#say('server.statement.page', { page: i + 1, pages: count });
      this.#text(text, MARGIN, { size: 8, color: GREY, width: RIGHT - MARGIN, align: 'right' });
    }
  }

  #say(key: TextKey, values?: Record<string, string | number>): string {
    return textIn(this.#statement.language, key, values);
  }

  /** Figures of these fonts all have the same width, so amounts stand below each other. */
  #number(amount: number, { x, width }: { x: number; width: number }, bold: boolean): void {
    const text = this.#money.format(this.#statement.currency.toMajor(amount));
    this.#text(text, x, { width, align: 'right', bold });
  }

  /** Draws text at the current height, and returns how high it is. */
  #text(
    text: string,
    x: number,
    {
      size = 9,
      color = '#14181d',
      bold = false,
      width,
      align = 'left',
    }: {
      size?: number;
      color?: string;
      bold?: boolean;
      width?: number;
      align?: 'left' | 'right';
    } = {},
  ): number {
    const document = this.#document;
    document
      .font(bold ? 'bold' : 'regular')
      .fontSize(size)
      .fillColor(color);
    document.text(text.normalize('NFC'), x, this.#y, {
      align,
      ...(width === undefined ? { lineBreak: false } : { width }),
    });
    return document.y - this.#y;
  }

  #height(text: string, width: number): number {
    return this.#document.font('regular').fontSize(9).heightOfString(text, { width });
  }

  #rule(): void {
    this.#document
      .moveTo(MARGIN, this.#y)
      .lineTo(RIGHT, this.#y)
      .lineWidth(0.5)
      .strokeColor(LINE)
      .stroke();
    this.#y += 6;
  }

  /** A day has no time zone. */
  #day(day: string): string {
    const { language } = this.#statement;
    const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
    return format.format(Date.parse(day));
  }
}
