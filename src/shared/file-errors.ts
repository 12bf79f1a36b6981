const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EROFS: 'its file system can only be read',
  ENOSPC: 'there is no space left',
  EDQUOT: 'there is no space left',
  EMFILE: 'the process may open no more files (ulimit -n)',
  ENFILE: 'the machine may open no more files',
};

/** Whether it is an error of the file system that has nothing to do with the program. */
export function isForOperator(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && String(error.code) in reasons;
}

/** Explains why a file cannot be used. */
export function reasonOf(error: unknown): string {
  // Errors of node:fs.
  const { code, message } = error as NodeJS.ErrnoException;
  return reasons[code ?? ''] ?? message;
}
