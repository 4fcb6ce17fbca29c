//! A check of documents for tests.

/// Element names, attributes, entities and identifiers of a document: what a parser would refuse, and references
/// that lead nowhere.
pub(super) fn check_xml(xml: &str) -> Result<(), String> {
    let (mut open, mut rest, mut roots) = (Vec::new(), xml.trim_end(), 0);
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').ok_or("a tag without end")?;
        let (text, tag) = (&rest[..start], &rest[start + 1..end]);
        check_text(text)?;
        if open.is_empty() && !text.is_empty() {
            return Err(format!("text outside the root: {text:?}"));
        }
        if let Some(name) = tag.strip_prefix('/') {
            let opened = open.pop();
            if opened != Some(name) {
                return Err(format!("{opened:?} ends as {name}"));
            }
        } else {
            let body = tag.strip_suffix('/').unwrap_or(tag);
            let (name, attributes) = body.split_once(' ').unwrap_or((body, ""));
            if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphabetic()) {
                return Err(format!("tag {tag:?}"));
            }
            check_attributes(attributes)?;
            roots += usize::from(open.is_empty());
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        rest = &rest[end + 1..];
    }
    if !open.is_empty() || roots != 1 || !rest.is_empty() {
        return Err(format!("{open:?} still open, {roots} roots, {rest:?} left"));
    }
    let ids: Vec<&str> = xml.split(" id=\"").skip(1).map(|text| &text[..text.find('"').unwrap()]).collect();
    for reference in xml.split(['#', '\'']).skip(1).filter(|text| text.starts_with(ids[0].split('-').next().unwrap())) {
        let reference = &reference[..reference.find(['"', ')']).ok_or("an open reference")?];
        if ids.iter().filter(|&&id| id == reference).count() != 1 {
            return Err(format!("#{reference} is not one element"));
        }
    }
    Ok(())
}

fn check_text(text: &str) -> Result<(), String> {
    for entity in text.split('&').skip(1) {
        if !["amp;", "lt;", "gt;", "quot;", "#39;"].iter().any(|known| entity.starts_with(known)) {
            return Err(format!("entity &{entity}"));
        }
    }
    match text.chars().find(|c| c.is_control() && *c != '\n') {
        Some(control) => Err(format!("{control:?}")),
        None => Ok(()),
    }
}

fn check_attributes(mut rest: &str) -> Result<(), String> {
    let mut names = Vec::new();
    while !rest.is_empty() {
        let (name, after) = rest.split_once("=\"").ok_or_else(|| format!("attribute {rest:?}"))?;
        let (value, after) = after.split_once('"').ok_or_else(|| format!("value {after:?}"))?;
        if names.contains(&name) || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
            return Err(format!("attribute {name:?}"));
        }
        check_text(value)?;
        names.push(name);
        rest = after.strip_prefix(' ').unwrap_or(after);
        if !after.is_empty() && rest == after {
            return Err(format!("{after:?} follows {name}"));
        }
    }
    Ok(())
}

#[test]
fn the_xml_check_refuses_faults() {
    assert_eq!(check_xml(r##"<a id="b-x"><b c="1" d="e"/>f &amp; g<u href="#b-x"/></a>"##), Ok(()));
    for fault in [
        "<a id=\"x\"><b></a>",
        "<a id=\"x\"/><a/>",
        "<a id=\"x\" id=\"y\"/>",
        "<a id=\"x\"b=\"y\"/>",
        "<a id=\"x\">&</a>",
        "<a id=\"x\">",
        "<a id=\"x\"/>b",
        r##"<a id="x"><u href="#xy"/></a>"##,
    ] {
        assert!(check_xml(fault).is_err(), "{fault}");
    }
}
