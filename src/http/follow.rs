//! Going on from an answer: to where it redirects, or from where a download broke off.

use reqwest::Url;

/// Why a redirect is not followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RedirectRefused {
    /// It leads to a host that is not allowed.
    #[error("it leads to another host, {0}")]
    OtherHost(String),
    /// The address is none, or not of the web.
    #[error("`{0}` is no http(s) address")]
    Address(String),
    /// There is no `Location`, or the status is none of a redirect.
    #[error("status {0} is no redirect to follow")]
    Status(u16),
}

/// Where a redirect leads: to the same host or one of `allowed` (`host`, or `host:port`). A fall from https to http on the way is lifted
/// back to https.
///
/// # Errors
/// [`RedirectRefused`].
///
/// ```
/// use legal_link::http::redirect;
/// let from = "https://publications.europa.eu/resource/celex/31999R9001";
/// let to = redirect(from, 303, "http://publications.europa.eu/resource/cellar/x", &[]);
/// assert_eq!(to.unwrap(), "https://publications.europa.eu/resource/cellar/x");
/// assert!(redirect(from, 303, "https://example.com/x", &[]).is_err());
/// ```
pub fn redirect(from: &str, status: u16, location: &str, allowed: &[String]) -> Result<String, RedirectRefused> {
    if !matches!(status, 301 | 302 | 303 | 307 | 308) || location.trim().is_empty() {
        return Err(RedirectRefused::Status(status));
    }
    let no_address = |text: &str| RedirectRefused::Address(text.chars().take(200).collect());
    let base = Url::parse(from).map_err(|_| no_address(from))?;
    let mut to = base.join(location.trim()).map_err(|_| no_address(location))?;
    let host = to.host_str().unwrap_or_default().to_string();
    if !matches!(to.scheme(), "http" | "https") || host.is_empty() {
        return Err(no_address(location));
    }
    let named = |allowed: &String| {
        *allowed == host || Some(allowed.as_str()) == to.port().map(|p| format!("{host}:{p}")).as_deref()
    };
    if !same(&base, &to) && !allowed.iter().any(named) {
        return Err(RedirectRefused::OtherHost(host));
    }
    if !to.username().is_empty() || to.password().is_some() {
        return Err(no_address(location));
    }
    if base.scheme() == "https" && to.scheme() == "http" {
        let lifted = to.set_port(None).and_then(|()| to.set_scheme("https"));
        lifted.map_err(|()| no_address(location))?;
    }
    Ok(to.into())
}

/// Whether two addresses are of one host: the same name, and the same port or the usual one of each scheme.
pub(super) fn same_host(one: &str, other: &str) -> bool {
    Url::parse(one).is_ok_and(|one| Url::parse(other).is_ok_and(|other| same(&one, &other)))
}

fn same(one: &Url, other: &Url) -> bool {
    one.host_str() == other.host_str() && one.port() == other.port()
}

/// What to do with the bytes of an answer to a request for the rest of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resumed {
    /// They follow what we have.
    Append,
    /// They are a whole document, or begin elsewhere: what we have is thrown away.
    Replace,
}

impl Resumed {
    /// Judges by the status and by `Content-Range` (RFC 9110, section 14.4): only a 206 that begins exactly at
    /// `have_bytes` is appended.
    pub fn of(have_bytes: u64, status: u16, content_range: Option<&str>) -> Self {
        let start = content_range.and_then(|range| {
            let (unit, rest) = range.trim().split_once(' ')?;
            let (start, _) = rest.split_once('-')?;
            if unit.eq_ignore_ascii_case("bytes") { start.trim().parse::<u64>().ok() } else { None }
        });
        if status == 206 && start == Some(have_bytes) { Self::Append } else { Self::Replace }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_web_and_allowed_hosts() {
        let go = |to: &str| redirect("https://a.example/x", 302, to, &["b.example".to_string()]);
        assert_eq!(go("//b.example/y").as_deref(), Ok("https://b.example/y"));
        assert_eq!(go("http://a.example:80/y").as_deref(), Ok("https://a.example/y"));
        assert!(go("https://a.example:8443/y").is_err(), "another port is another server");
        assert!(go("file:///etc/passwd").is_err() && go("https://u@a.example/").is_err() && go(" ").is_err());
        let other = Err(RedirectRefused::OtherHost("evil.example".into()));
        assert_eq!(go("https://a.example@evil.example/y"), other, "what stands before the @ is no host");
        assert_eq!(go("https://a.example:443@evil.example/y"), other);
        assert!(matches!(go("https://:p@a.example/"), Err(RedirectRefused::Address(_))));
        assert_eq!(redirect("https://a.example/x", 300, "/y", &[]), Err(RedirectRefused::Status(300)));
    }
}
