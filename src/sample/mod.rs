//! Which pairs to ask about: strata, quotas, splits that share no act.
