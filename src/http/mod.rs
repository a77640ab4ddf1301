//! One client: pace per host, permits, back-off, Retry-After, bounds on size and time, secrets that
//! cannot be printed. Knows nothing of law.
