import { paypalFile, wiseFile } from './csv-files.ts';
import type { FileFormat } from '../tables.ts';
import type { PaymentFormat } from './payment-file.ts';
import { sepaFile } from './sepa-file.ts';

export const formats: Readonly<Record<FileFormat, PaymentFormat>> = {
  sepa: sepaFile,
  paypal: paypalFile,
  wise: wiseFile,
};
