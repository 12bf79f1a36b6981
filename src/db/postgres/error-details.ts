interface ErrorDetails {
  /** The SQLSTATE of PostgreSQL, or the code of the operating system. */
  readonly code?: string;
  readonly message?: string;
}

export function detailsOf(error: unknown): ErrorDetails {
  // The driver declares no type for its errors, and any value can be thrown.
  return error ?? {};
}
