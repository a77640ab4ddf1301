//! Bytes to law values, pure and synchronous: acts, notices, tables; titles and operative parts to clauses.
