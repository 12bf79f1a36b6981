import type { TSchema } from 'typebox';
import type { Reader } from '../../db/database.ts';
import type { DateRange } from '../../kernel/call/date-range.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';

/** Fields that another module adds to the summary. */
export interface ReportSection {
  readonly fields: Record<string, TSchema>;
  read(db: Reader, site: Site, range: DateRange): Promise<object>;
}

export const reportSections = new Point<ReportSection>('reports.sections');
